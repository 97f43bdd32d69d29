"""Names, numbers and things of the user's own life, and what only looks like one."""

from __future__ import annotations

from itertools import permutations

import pytest

from edgegate.guard.amounts import amounts, is_new
from edgegate.guard.claims import signs
from edgegate.guard.definites import definites
from edgegate.guard.evidence_index import Index, collect
from edgegate.guard.judge import HELD, Judge
from edgegate.guard.reading import read
from edgegate.guard.strangers import strangers
from edgegate.language.text import sentences
from edgegate.records import Evidence

EVIDENCE = Evidence.read(
    {
        "memories": [
            "The user, Oona, 44, keeps bees on plot 31 above Trondheim",
            "Her cousin Aslak drives the van",
            "Sold 120 jars at the September fair",
            "Order 7714 from the glass works is late",
            "Bend of the knee was 110 degrees on 2 May",
        ],
        "facts": ["Up at 17:30 on market days"],
        "history": [{"role": "user", "text": "115 today! What shall I do with the wax?"}],
    }
)
INDEX = Index(collect(EVIDENCE, HELD))

STRANGERS = [
    ("asked", "Tell Mirre about the wax first."),
    ("a name with two capitals", "Ring McBride at once."),
    ("met", "With Mirre and Jorunn at the press it is quick."),
    ("will do something", "So Mirre can carry the frames."),
    ("a title", "Dr. Haukeland has to see that."),
    ("whose", "Take Jorunn's knife for it."),
    ("whose, first word", "Jorunn's knife is sharper."),
    ("wants something, first word", "Jorunn will want the dark jars."),
    ("letters of another language, first word", "Ålesund, of course."),
    ("a person's word before it", "Put the lid in the hands of your friend Mirre."),
]

NO_STRANGERS = [
    ("held", "Tell Aslak about the wax first."),
    ("a state", "With Norway in the rain it is slow."),
    ("a person of history", "So Darwin can wait."),
    ("a place lies somewhere", "The road from Bodø is long."),
    ("a river", "The road goes along the Glomma."),
    ("did something once", "Langstroth built the first box."),
    ("on the screen", "Open Settings and choose Recovery."),
    ("a word, first", "Wax will keep for years."),
    ("a word with a verb of persons, first", "Everyone will want the dark jars."),
    ("a full name", "Olav Ulven's novel is short."),
    ("code", "Call Hive(frames) for it."),
    ("a maker of things", "If it bleeds, ring NorthDoc at once."),
    ("a formula", "In Fe2O3 there is rust."),
    ("quoted", "She wrote “tell Mirre that the wax is good” on it."),
]


@pytest.mark.parametrize("text", [text for _, text in STRANGERS], ids=[name for name, _ in STRANGERS])
def test_a_name_of_somebody_unknown(text: str) -> None:
    assert strangers(read(text), INDEX).get("stranger"), text


@pytest.mark.parametrize("text", [text for _, text in NO_STRANGERS], ids=[name for name, _ in NO_STRANGERS])
def test_a_name_of_the_world_or_of_somebody_known(text: str) -> None:
    found = strangers(read(text), INDEX)
    assert not set(found) & {"stranger", "strange_thing"}, text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Look at the Hardanger jar.", True),
        ("The weak spot is the Juki.", True),
        ("Put the coin in the Bergen jar.", True),
        ("Boats go down the Glomma.", False),
        ("Look at the Norwegian jar.", False),
    ],
)
def test_a_thing_with_an_unknown_name(text: str, expected: bool) -> None:
    assert bool(strangers(read(text), INDEX).get("strange_thing")) is expected


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("Plot 13 is always wet.", "near_number"),
        ("You sold 210 jars.", "near_number"),
        ("You sold 130 jars.", "near_number"),
        ("It is order 7741.", "near_number"),
        ("Take plot 58 for it.", "label_number"),
        ("The fair is on the 19th of September.", "new_day"),
        ("That leaves 4,600 crowns in the tin.", "large_number"),
        ("The jars in October went well.", "rival_month"),
        ("Order C7741 is late.", "near_number"),
        ("It is on the twelfth.", "new_day"),
        ("The wax is due by the 2nd.", ""),
        ("She works on the third floor.", ""),
        ("You sold 95 jars.", "rival_number"),
        ("The jars sell well on Saturday.", ""),  # no day of the week is held
        ("You sold 120 jars on plot 31.", ""),
        ("That is 5 more.", ""),  # 115 less 110
        ("Twice 120 is 240.", ""),
        ("Mix 400 g of wax with 250 ml of oil.", ""),
        ("A hive has about 40000 bees.", ""),
        ("In case of shock, call 113.", ""),
        ("Bees were kept in 1650.", "worldly"),
        ("Error 4013 means that the scale is wet.", ""),
        ("The first film runs 103 minutes, the second 128.", ""),
        ("The bloom in October is over.", ""),  # nothing that is held names a month for a bloom
    ],
)
def test_amounts(text: str, sign: str) -> None:
    found = amounts(read(text), INDEX)
    assert set(found) == ({sign} if sign else set()), text


def test_a_number_that_the_held_ones_give_is_not_new() -> None:
    for key in ("5", "62", "84"):
        assert not is_new(key, INDEX), key
    assert is_new("77", INDEX)


@pytest.mark.parametrize("held", [(), (0,), (0, 7), (3, 8, 14), (12, 24, 99, 100), (5, 10, 4000, 150)])
def test_numbers_give_what_two_of_them_or_a_clock_give(held: tuple[int, ...]) -> None:
    index = Index(collect(Evidence(memories=[f"{number} boats" for number in held]), ["memories"]))
    given = {2 * one for one in held} | {one // 2 for one in held if one % 2 == 0}
    given |= {one - 12 for one in held if 12 < one <= 24}
    for one, other in permutations(held, 2):
        given |= {one + other, abs(one - other)} | ({one * other} if one < 100 and other < 100 else set())
    asked = {*range(400), *given, 4001, 8000, 9900}
    assert {number for number in asked if index.derives(str(number))} == given


def test_only_the_first_numbers_are_added_up() -> None:
    many = Index(collect(Evidence(memories=[f"Jar {number * 37}" for number in range(2000)]), ["memories"]))
    assert many.derives(str(37 * 118))
    assert not many.derives(str(37 * 1201))
    assert not many.derives("9" * 5000)


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("Bring a bottle of your cloudberry cordial.", "your_new"),
        ("You cannot lift that with that hernia.", "that_new"),
        ("Did the new smoker help?", "asks_new"),
        ("She can bring her cello.", "life_new"),
        ("He can bring a cello.", ""),
        ("Bring your van.", ""),
        ("Mind your back and your shoes.", ""),
        ("Did the jars sell?", ""),
        ("Do you know the rule?", ""),
        ("Where is the smoker?", ""),
        ("Put the lid on the pot.", ""),
    ],
)
def test_definites(text: str, sign: str) -> None:
    found = definites(read(text), INDEX)
    assert found.get(sign) if sign else not found, text


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("He always forgets the lids.", "habit"),
        ("You usually sing at the press.", "habit"),
        ("You never told me that.", ""),
        ("It always rains there.", ""),
        ("Aslak paints boats.", "does_new"),
        ("Aslak drives the van.", ""),
        ("Does Aslak paint?", ""),
        ("Perhaps Aslak paints it.", ""),
    ],
)
def test_what_somebody_does(text: str, sign: str) -> None:
    found = signs(read(text), INDEX)
    assert found.get(sign) if sign else not {"habit", "does_new"} & set(found), text


def test_a_verb_of_one_form_is_past_beside_one_person() -> None:
    assert signs(read("Aslak cut the comb."), INDEX)["past_known"] == 1
    assert "past_they" in signs(read("She put it away."), INDEX)
    assert not any(name.startswith("past") for name in signs(read("They put it away."), INDEX))


def test_another_day_of_the_week() -> None:
    index = Index(collect(Evidence(memories=["Physio on Mondays"]), ["memories"]))
    assert amounts(read("Show it at Wednesday's physio."), index)["rival_weekday"] == 1
    assert amounts(read("Show it at Monday's physio."), index) == {}


def family(text: str) -> str:
    (sentence,) = sentences(text)
    found = Judge(EVIDENCE).rule(sentence)
    return found.family if found else ""


@pytest.mark.parametrize(
    "text",
    [
        "Tell Mirre about the wax first.",
        "Jorunn will want the dark jars.",
        "Let Dr. Haukeland look at the knee.",
        "Plot 13 is always wet.",
        "Did the new smoker behave?",
        "I suppose it was the migraine again.",
        "Take Aslak and the Hardanger jars, as agreed in June.",
    ],
)
def test_without_a_word_of_the_user_it_is_a_claim(text: str) -> None:
    assert family(text) == "history"


@pytest.mark.parametrize(
    "text",
    [
        "Tell Aslak about the wax first.",
        "The Norwegian coast has 1,190 islands with 4,600 farms.",
        "Langstroth built the first box in Philadelphia in 1851.",
        "A queen lays 2,000 eggs a day.",
        "Most hives hold 60,000 bees.",
        "Melt 400 g of wax at 65 degrees for twenty minutes.",
        "He always said that bees know the weather.",
    ],
)
def test_advice_and_the_world_stay(text: str) -> None:
    assert family(text) == ""


def ask(message: str, text: str) -> str:
    evidence = Evidence.read({"memories": EVIDENCE.memories, "history": [{"role": "user", "text": message}]})
    (sentence,) = sentences(text)
    found = Judge(evidence).rule(sentence)
    return found.family if found else ""


@pytest.mark.parametrize(
    ("message", "text", "expected"),
    [
        ("who first bred the grey bee?", "Koschevnikov's bees came from the hills.", ""),
        ("how many steps does the tower have?", "It has 1,665 steps.", ""),
        ("recommend me something to read", "Ulven's novel is short and dark.", ""),
        ("any good novels about bees? I need one", "With Ulven you will laugh.", ""),
        ("what shall I do with the wax?", "Ulven's knife is short.", "history"),
        ("is Aslak coming?", "Ulven's knife is short.", "history"),
        ("the wax is hard.", "That leaves 4,600 crowns in the tin.", "history"),
        ("how many crowns does a tin cost?", "That leaves 4,600 crowns in the tin.", ""),
    ],
)
def test_where_the_world_was_asked_about_names_and_numbers_are_the_answer(
    message: str, text: str, expected: str
) -> None:
    assert ask(message, text) == expected


def test_names_that_the_reply_brings_up_are_its_own() -> None:
    judge = Judge(EVIDENCE)
    story = "A fox lived with a crow called Rufus. Tell Rufus a secret, said the owl. Rufus's tail shone."
    assert [sentence.text for sentence in sentences(story) if judge.rule(sentence)] == []


def test_after_a_few_names_of_the_world_a_reply_is_speaking_of_the_world() -> None:
    judge = Judge(EVIDENCE)
    trip = "The road runs past Røros to Oppdal and Dombås. With Otta so near, stop there. Tell Mirre about it."
    assert [sentence.text for sentence in sentences(trip) if judge.rule(sentence)] == []
    judge = Judge(EVIDENCE)
    ruled = [bool(judge.rule(sentence)) for sentence in sentences("The road runs past Otta. Tell Mirre.")]
    assert ruled == [False, True]


@pytest.mark.parametrize(
    "reply",
    [
        "Heat 1 litre of stock first. Stir in 300 g of Arborio rice. Grate some Parmesan over it.",
        "The Battle of Hastings was fought in 1066. William of Normandy defeated Harold Godwinson. About 7,000 men "
        "died. Harold's army had marched 240 miles in a week.",
        "In Python, use collections.Counter. Call Counter(words).most_common(3) for the top three. Ask Django's ORM.",
        "Take the A1 north to Scotch Corner, then the A66. Stop at Barnard Castle for lunch. The Bowes Museum has a "
        "silver swan from 1773. With Durham so close, add the cathedral.",
        "First, open Settings. Then tap Bluetooth and choose Pair New Device. Error 4013 means the battery is low.",
        "Once upon a time there was a fox called Rufus. Rufus lived under an old oak. One day Rufus met a crow named "
        "Bella. Bella's feathers shone like coal.",
        "Night shifts are hard on the body. Have you tried blackout curtains? Talk to your doctor before you take it.",
    ],
)
def test_replies_about_the_world_pass_whole(reply: str) -> None:
    judge = Judge(EVIDENCE)
    assert [sentence.text for sentence in sentences(reply) if judge.rule(sentence)] == []
