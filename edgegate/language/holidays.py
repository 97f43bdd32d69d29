"""The day of a holiday in a year: fixed ones, those that move with Easter, and those on the n-th weekday of a month.

Source: the Gregorian computus as given by J.-M. Oudin (1940), after Seidelmann, Explanatory Supplement to the
Astronomical Almanac (1992), p. 582. The names and rules stand in `data/en/values.toml`.
"""

from __future__ import annotations

from datetime import date, timedelta

from edgegate.language.days import date_table

LONGEST_NAME = 4
"""Words of the longest name of a holiday."""


def easter(year: int) -> date:
    """Easter Sunday of a year of the Gregorian calendar.

    >>> easter(2018), easter(2019)
    (datetime.date(2018, 4, 1), datetime.date(2019, 4, 21))
    """
    century = year // 100
    golden = year % 19
    correction = (century - 17) // 25
    moon = (century - century // 4 - (century - correction) // 3 + 19 * golden + 15) % 30
    moon -= (moon // 28) * (1 - (moon // 28) * (29 // (moon + 1)) * ((21 - golden) // 11))
    weekday = (year + year // 4 + moon + 2 - century + century // 4) % 7
    days = moon - weekday
    month = 3 + (days + 40) // 44
    return date(year, month, days + 28 - 31 * (month // 4))


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """The n-th weekday (Monday is 0) of a month; the last one where `nth` is -1.

    >>> nth_weekday(2010, 11, 3, 4), nth_weekday(2021, 5, 0, -1)
    (datetime.date(2010, 11, 25), datetime.date(2021, 5, 31))
    """
    if nth > 0:
        first = date(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
    return last - timedelta(days=(last.weekday() - weekday) % 7)


def holiday_day(name: str, year: int) -> date | None:
    """The day of the holiday of this name in a year, or None where no table knows the name.

    >>> holiday_day("good friday", 2018), holiday_day("black friday", 2010), holiday_day("boxing day", 2020)
    (datetime.date(2018, 3, 30), datetime.date(2010, 11, 26), datetime.date(2020, 12, 26))
    """
    fixed = date_table("holidays").get(name)
    if fixed is not None:
        return date(year, int(fixed[0]), int(fixed[1]))
    moving = date_table("easter_days").get(name)
    if moving is not None:
        return easter(year) + timedelta(days=int(moving))
    rule = date_table("weekday_holidays").get(name)
    if rule is not None:
        return nth_weekday(year, int(rule[0]), int(rule[1]), int(rule[2])) + timedelta(days=int(rule[3]))
    return None
