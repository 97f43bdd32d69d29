"""Each check on its own cases: where it fires and where it must not. All texts are our own."""

from __future__ import annotations

import pytest

from edgegate.gate.checks import CHECKS
from edgegate.gate.report import check
from edgegate.records import Report, Severity

NOW = "2026-03-11T10:00:00+01:00"  # a Wednesday


def judge(source: str | list[tuple[str, str]], memory: str, **options: str) -> Report:
    turns = [{"speaker": speaker, "text": text} for speaker, text in source] if isinstance(source, list) else source
    return check(turns, memory, now=NOW, **options)


def flagged(report: Report) -> set[str]:
    return {change.check for change in report.changes if change.severity is not Severity.ADVISORY}


FIRES = [
    # habit: one occasion told as what is always so
    ("habit", "I went swimming at the lido on Sunday", "User goes swimming at the lido every Sunday."),
    ("habit", "had a curry with Dom on Friday", "User has a curry with Dom on Fridays."),
    # attribution: who said it is gone
    ("attribution", "Someone said Alice was promoted this morning.", "Alice was promoted this morning."),
    ("attribution", "I heard that the tram line closes in May.", "The tram line closes in May."),
    ("attribution", "Rumour has it the bakery is for sale.", "The bakery is for sale."),
    ("attribution", "My landlord says the boiler was replaced last year.", "The boiler was replaced last year."),
    ("attribution", "The salesman claims the tent is waterproof.", "The tent is waterproof."),
    ("attribution", "According to my cousin, the ferry takes two hours.", "The ferry takes two hours."),
    ("attribution", "The pump is broken, the mechanic told me.", "The pump is broken."),
    ("attribution", "The brochure says breakfast is included.", "Breakfast is included."),
    ("attribution", "They reckon the bridge will reopen in June.", "The bridge will reopen in June."),
    ("attribution", "The bridge reopens in June. That's what the postman says.", "The bridge reopens in June."),
    ("attribution", "Word is that Marek got the job in Oslo.", "Marek got the job in Oslo."),
    ("attribution", "My sister told me the pool is free for children.", "The pool is free for children."),
    # hedge: the doubt is gone
    ("hedge", "I think the clinic is on Elm Road.", "The clinic is on Elm Road."),
    ("hedge", "Maybe the key is under the blue pot.", "The key is under the blue pot."),
    ("hedge", "We might move to Lisbon in autumn.", "User will move to Lisbon in autumn."),
    ("hedge", "It's probably a broken fuse.", "It is a broken fuse."),
    ("hedge", "The code is 4417, if I remember correctly.", "The code is 4417."),
    ("hedge", "Alice has admin. Not sure though.", "Alice has admin."),
    ("hedge", "The deposit was about 250 euros, I guess.", "The deposit was 250 euros."),
    ("hedge", "Perhaps Nadia will bring her flute.", "Nadia will bring her flute."),
    ("hedge", "It seems the parcel went to the wrong house.", "The parcel went to the wrong house."),
    ("hedge", "I'm not sure whether Dele is coming to the wedding.", "Dele is coming to the wedding."),
    # condition: the condition is gone
    ("condition", "If the visa comes through we fly to Quito in May.", "User flies to Quito in May."),
    ("condition", "You get a refund provided you return the box.", "User gets a refund."),
    ("condition", "Dad sells the boat unless my brother takes the mooring.", "User's father sells the boat."),
    ("condition", "The offer is yours as long as you sign by Friday.", "The offer is user's."),
    ("condition", "Subject to approval, the grant pays for the trip.", "The grant pays for the trip."),
    ("condition", "I like cycling to work when it isn't icy.", "User likes cycling to work."),
    ("condition", "Would a cooler rack help with the noise?", "A cooler rack helps with the noise."),
    # temporal: the limit is gone, or the date is wrong
    ("temporal", "The rent is 940 until the end of August.", "The rent is 940."),
    ("temporal", "The museum is closed through April.", "The museum is closed."),
    ("temporal", "I park in the yard while the street is dug up.", "User parks in the yard."),
    ("temporal", "This semester I teach on Mondays.", "User teaches on Mondays."),
    ("temporal", "The price is 20 euros for the first six months.", "The price is 20 euros."),
    ("temporal", "For now Petra signs the invoices.", "Petra signs the invoices."),
    ("temporal", "We signed the lease yesterday.", "User signed the lease on 12 March 2026."),
    ("temporal", "The exam is next Tuesday.", "The exam is on 18 March 2026."),
    ("temporal", "I lived in Turin from 2012 to 2016.", "User lives in Turin."),
    ("temporal", "Back in 2019 she ran a café in Porto.", "She runs a café in Porto."),
    ("temporal", "I used to smoke a pipe.", "User smokes a pipe."),
    # polarity: denied there, asserted here, or the reverse
    ("polarity", "I did not renew the insurance.", "User renewed the insurance."),
    ("polarity", "We never ate at the harbour restaurant.", "User ate at the harbour restaurant."),
    ("polarity", "It is untrue that I'm moving to Bergen.", "User is moving to Bergen."),
    ("polarity", "The warranty excludes water damage.", "The warranty covers water damage."),
    ("polarity", "I play the oboe in the town band.", "User does not play the oboe in the town band."),
    ("polarity", [("user", "Do I have to return the router?"), ("assistant", "No.")], "User has to return the router."),
    ("polarity", [("assistant", "So you're vegetarian?"), ("user", "no, just not pork")], "User is vegetarian."),
    ("polarity", "Somebody posted that the oral exam is dropped. Not true, I asked the office.",
     "The oral exam is dropped."),
    ("polarity", "I've stopped taking the iron tablets.", "User takes the iron tablets."),
    ("polarity", "We decided against the blue tiles.", "User chose the blue tiles."),
    # unit: the number is kept, its unit changed
    ("unit", "The route is 22 miles long.", "The route is 22 km long."),
    ("unit", "The lamp cost 40 dollars.", "The lamp cost 40 euros."),
    ("unit", "Childcare is 450 a fortnight.", "Childcare is 450 a month."),
    ("unit", "I take 75 micrograms every morning.", "User takes 75 milligrams every morning."),
    ("unit", "The rate went up two percentage points.", "The rate went up two percent."),
    # truncated: the parts no longer make the total
    ("truncated", "6 from sales, 4 from design, 3 from legal and 2 from the board, 15 in all.",
     "15 attend: 6 from sales, 4 from design and 3 from legal."),
    ("truncated", "Four tablets: ramipril, aspirin, statin and bisoprolol.",
     "User takes four tablets: ramipril, aspirin and statin."),
    ("truncated", "We run on GPT 5.6 now.", "User runs on GPT 5."),
    # brittle: the result is kept, its inputs are gone
    ("brittle", "3 pallets at 140 each plus 95 for customs, so the bill is 515.", "The bill is 515."),
    ("brittle", "14 people at 85 a head plus 310 for the bus makes 1,500.", "The offsite costs 1,500."),
    # owner: another person's fact
    ("owner", [("user", "My brother is a lawyer in Graz.")], "User is a lawyer in Graz."),
    ("owner", [("user", "My mother plays the cello in an orchestra.")], "User plays the cello in an orchestra."),
    ("owner", [("user", "My sister Ida lives in Oslo. She is a vet.")], "User is a vet."),
    ("owner", [("user", "I have a dog called Rex and my brother has a parrot called Kiki.")],
     "User has a parrot called Kiki."),
    ("owner", [("user", "hello"), ("assistant", "I suggest a vegan diet with more iron.")],
     "User suggested a vegan diet with more iron."),
]  # fmt: skip

SILENT = [
    ("habit", "I swim at the lido every Sunday", "User goes swimming at the lido every Sunday."),
    ("habit", "I went swimming at the lido on Sunday", "User went swimming at the lido on Sunday."),
    # attribution kept, in the same words or others; not an attribution; of something else
    ("attribution", "Someone said Alice was promoted.", "Someone said Alice was promoted."),
    ("attribution", "The printers are telling us it's Friday.",
     "The printers have informed the user that it is Friday."),
    ("attribution", "Rumour has it the bakery is for sale.",
     "There is an unconfirmed rumour that the bakery is for sale."),
    ("attribution", "I told Nadia that I moved to Ulm.", "User moved to Ulm."),
    ("attribution", "As I said, I moved to Ulm.", "User moved to Ulm."),
    ("attribution", "I wanted to tell you that I joined a choir.", "User joined a choir."),
    ("attribution", "It's great to hear that you like the garden!", "User likes the garden."),
    ("attribution", "They called her Ottilie and she weighs 3.4 kilos.", "Ottilie weighs 3.4 kg."),
    ("attribution", "The bridge is open. The postman says it will snow.", "The bridge is open."),
    ("attribution", "We sang at the party on Friday.", "User sang at the party on Friday."),
    # hedge kept, idiom, or of something else
    ("hedge", "I think the clinic is on Elm Road.", "User believes that the clinic is on Elm Road."),
    ("hedge", "We might move to Lisbon in autumn.", "User may move to Lisbon in autumn."),
    ("hedge", "No doubt the oven is broken.", "The oven is broken."),
    ("hedge", "I'm allergic to articaine. I might be allergic to latex too.", "User is allergic to articaine."),
    ("hedge", "The boiler was serviced. Not sure about the thermostat though.", "The boiler was serviced."),
    ("hedge", "We fly on 5 May.", "User flies on 5 May."),
    ("hedge", "Will is presenting the plan.", "Will is presenting the plan."),
    ("hedge", "The doctor thinks it might be the meniscus.", "The doctor suspects the meniscus."),
    ("hedge", "The tests are done, and the scan may follow.", "The tests are done."),
    # condition kept, or none
    ("condition", "If the visa comes through we fly in May.", "User flies in May if the visa comes through."),
    ("condition", "If the visa comes through we fly in May.", "The flight in May depends on the visa."),
    ("condition", "You get a refund provided you return the box.", "User gets a refund once the box is returned."),
    ("condition", "If only it would stop raining! The tent is wet.", "The tent is wet."),
    ("condition", "The lamp is on. If you want, call me.", "The lamp is on."),
    ("condition", "Can you believe I won the raffle?", "User won the raffle."),
    ("condition", "Invoice me whenever you like.", "User is ready to be invoiced."),
    ("condition", [("user", "Is the shop open on Sunday?"), ("assistant", "Yes, from nine.")],
     "The shop is open on Sunday."),
    # temporal kept, over, or resolved
    ("temporal", "The rent is 940 until the end of August.", "The rent is 940 until the end of August."),
    ("temporal", "The permit runs through 30 June.", "The permit expires on 30 June 2026."),
    ("temporal", "I park in the yard while the street is dug up.", "User parks in the yard during the roadworks."),
    ("temporal", "We signed the lease yesterday.", "User signed the lease on 10 March 2026."),
    ("temporal", "The exam is next Tuesday.", "The exam is on 17 March 2026."),
    ("temporal", "The skip is here until Monday week.", "The skip is there until 23 March 2026."),
    ("temporal", "The starter turned one yesterday.", "The starter was started on 10 March 2025."),
    ("temporal", "He arrives in three weeks.", "He arrives on 1 April 2026."),
    ("temporal", "We stayed in Rome until Friday.", "User stayed in Rome."),
    ("temporal", "I lived in Turin from 2012 to 2016.", "User used to live in Turin."),
    ("temporal", "We moved to Ulm in 2019 and run a bakery.", "User runs a bakery."),
    ("temporal", "I walked through the park with Ines.", "User walked in the park with Ines."),
    ("temporal", "I read for a while with Ines.", "User read with Ines."),
    # polarity: double negation, not only, no doubt, do not forget, another clause, antonyms
    ("polarity", "Grandad isn't against moving in with us.", "Grandfather accepts moving in with the user."),
    ("polarity", "I not only bake bread, I sell it.", "User bakes bread and sells it."),
    ("polarity", "There is no doubt that the roof leaks.", "The roof leaks."),
    ("polarity", "Do not forget to configure the runtime.", "User should configure the runtime."),
    ("polarity", "The lamp works, but the radio doesn't.", "The lamp works."),
    ("polarity", "The viva isn't in person.", "The viva is held remotely."),
    ("polarity", "I don't eat meat.", "User avoids meat."),
    ("polarity", "The invoice is not paid.", "The invoice is unpaid."),
    ("polarity", "Nothing has been booked yet.", "Nothing is booked yet."),
    ("polarity", "They take me off the list unless I ring back.", "User loses the place if they don't ring back."),
    ("polarity", "No, it's on the timer.", "It is on the timer."),
    ("polarity", "It isn't uncommon for me to wake at four.", "User often wakes at four."),
    ("polarity", [("assistant", "Do you eat meat?"), ("user", "nope")], "User does not eat meat."),
    ("polarity", "I've stopped taking the iron tablets.", "User no longer takes the iron tablets."),
    ("polarity", "I can't stop thinking about the play.", "User thinks about the play."),
    # unit: conversions and equal wordings
    ("unit", "I swam 1,500 metres.", "User swam 1.5 km."),
    ("unit", "The baby weighs 4,200 grams.", "The baby weighs 4.2 kg."),
    ("unit", "You have 14 days.", "User has two weeks."),
    ("unit", "The final counts for 60 percent.", "The final counts for 60%."),
    ("unit", "I lent him 600 francs. Swiss francs, obviously.", "User lent him 600 CHF."),
    # truncated and brittle: whole sums, computed values with their inputs
    ("truncated", "Three nights in Oslo, two in Bergen and four in Lofoten, nine in all.",
     "Nine nights: three in Oslo, two in Bergen and four in Lofoten."),
    ("truncated", "I have three children: Malin, Edvin and Tuva.", "User has three children: Malin, Edvin and Tuva."),
    ("brittle", "35 hours at 21.50 an hour, so 752.50 a week.", "User earns 752.50 a week (35 hours at 21.50)."),
    ("brittle", "We meet at 5 and the room is 12.", "The room is 12."),
    # owner: kept with its owner
    ("owner", [("user", "My brother is a lawyer in Graz.")], "User's brother is a lawyer in Graz."),
    ("owner", [("user", "My sister Ida lives in Oslo. She is a vet.")], "User's sister Ida is a vet."),
    ("owner", [("user", "My sister is in Oslo. I am a vet.")], "User is a vet."),
    ("owner", "My brother says the fox took the hens.", "The fox took the hens."),
    ("owner", [("user", "My knee hurts after tennis.")], "User's knee hurts after tennis."),
    ("owner", [("assistant", "Your order left our warehouse.")], "User's order left the warehouse."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "source", "memory"), FIRES)
def test_fires(name: str, source: str | list[tuple[str, str]], memory: str) -> None:
    report = judge(source, memory)
    assert name in flagged(report), (report.uncheckable, report.changes)


@pytest.mark.parametrize(("name", "source", "memory"), SILENT)
def test_stays_silent(name: str, source: str | list[tuple[str, str]], memory: str) -> None:
    assert name not in flagged(judge(source, memory))


def test_every_check_has_cases_on_both_sides() -> None:
    assert {name for name, _, _ in FIRES} == set(CHECKS) == {name for name, _, _ in SILENT}


@pytest.mark.parametrize(("name", "source", "memory"), FIRES)
def test_every_finding_points(name: str, source: str | list[tuple[str, str]], memory: str) -> None:
    texts = [source] if isinstance(source, str) else [text for _, text in source]
    for change in judge(source, memory).changes:
        assert change.cite
        assert change.cue
        assert change.detail
        assert change.candidate_quote is not None
        quote = change.candidate_quote
        assert memory[quote.start : quote.end] == quote.text
        if change.source_quote is not None:
            quote = change.source_quote
            origin = texts[quote.turn or 0]
            assert origin[quote.start : quote.end] == quote.text


ADVISORIES = [
    ("We went to Rome last week.", "User went to Rome last week."),
    ("my girls are 9 and 6", "User's daughters are 9 and 6 years old."),
    ("We have been married for 5 years.", "User has been married for 5 years."),
    ("I'm currently reading a book about bees.", "User reads a book about bees."),
]


@pytest.mark.parametrize(("source", "memory"), ADVISORIES)
def test_advice_is_no_flag(source: str, memory: str) -> None:
    report = judge(source, memory)
    assert {(change.check, change.severity) for change in report.changes} == {("temporal", Severity.ADVISORY)}
    assert report.verdict == "PASS_WITH_FLAGS"
