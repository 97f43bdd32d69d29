"""What the guard takes for a claim, and what it takes for support: one sentence a row, in our own words."""

from __future__ import annotations

import time

import pytest

from edgegate.errors import DataError
from edgegate.guard.claims import only_directs, signs, subject_of
from edgegate.guard.evidence_index import Index, collect
from edgegate.guard.judge import HELD, Judge, points
from edgegate.guard.reading import inference, is_past, quoted_tokens, read
from edgegate.guard.stream import Guard
from edgegate.guard.support import nearest_items, support
from edgegate.guard.topic import Topic
from edgegate.language import lexicon
from edgegate.language.align import stem
from edgegate.language.text import sentences
from edgegate.records import Evidence

EVIDENCE = Evidence.read(
    {
        "memories": [
            "Petra, 44, tiler in Maribor",
            "Her brother Jure borrowed 300 euros in February and has not paid it back",
            "Sore left shoulder since the bathroom job in March",
            "Hates coriander",
            "Daughter Neza starts school in September",
        ],
        "journal": ["12 May: agreed to stretch ten minutes every evening"],
        "history": [
            {"role": "user", "text": "jure called yesterday"},
            {"role": "assistant", "text": "Did he mention the loan?"},
            {"role": "user", "text": "no. do you remember my uncle Vinko?"},
        ],
        "facts": ["Today: 20 May"],
        "writes": ["stored: daughter Neza is allergic to nuts"],
        "actions": ["sent the quote to Mr. Kovac"],
    }
)


def ruling(text: str, evidence: Evidence = EVIDENCE, **options: bool) -> str:
    """The family under which the sentence is dropped, or an empty text."""
    (sentence,) = sentences(text)
    found = Judge(evidence, **options).rule(sentence)
    return found.family if found else ""


HELD_CLAIMS = [
    "You told me Jure borrowed 300 euros in February.",
    "So your brother still hasn't paid you back?",
    "Your left shoulder has been sore since March, so go easy.",
    "You can't stand coriander, so leave it out.",
    "Neza starts school in September, doesn't she?",
    "As we agreed on 12 May, ten minutes of stretching every evening.",
    "Did the shoulder hold up today?",
    "Your daughter will be at school in September.",
    "Jure owes you three hundred euros, after all.",
]

UNHELD_CLAIMS = [
    ("another number", "You told me Jure borrowed 500 euros in February."),
    ("the other side", "Your right shoulder has been sore since March."),
    ("nothing of it", "You told me about your trip to Lisbon."),
    ("another relative", "Your sister borrowed the money in February, didn't she?"),
    ("another month", "Jure paid you back in April, as you said."),
    ("an invented day", "Last week you dropped a tile on your foot."),
    ("the opposite", "You love coriander, so add plenty."),
    ("an invented remark", "You once said that stretching makes you angry."),
    ("an invented scene", "Remember when you cried at the school gate in June?"),
    ("a question that takes it for granted", "How did the interview in Graz go last Tuesday?"),
    ("hearsay", "Your mother told you in spring that tiling would ruin your back."),
    ("only asked, never told", "Your uncle Vinko taught you to tile, you told me."),
    ("a stranger", "Your friend Milena lent you the wet saw last summer."),
    ("a false denial", "You never told me about your brother Jure and the 300 euros."),
    ("the session denied", "I can only see your last message."),
    ("a topic denied", "We have never talked about Neza before."),
]

SENT_TO_HELP = [
    "Call or text 988, or tell whoever sits next to you exactly what you told me last time.",
    "If Radek won't leave your porch, call the police on 101.",
    "Ring your doctor today if the blue inhaler stops helping.",
    "Put your pills in the other room and ring the emergency number.",
    "Go straight to the emergency room, as you did in March.",
]


def test_what_sends_somebody_to_help_stays_even_where_it_denies_what_is_held() -> None:
    evidence = Evidence(memories=["The user has an uncle Vinko in Ulm"])
    assert ruling("You never told me about your uncle Vinko.", evidence) == "history"
    assert ruling("You never told me about your uncle Vinko, so call 112.", evidence) == ""


@pytest.mark.parametrize("text", SENT_TO_HELP)
def test_what_sends_somebody_to_help_stays_whatever_it_remembers(text: str) -> None:
    assert ruling(text, Evidence()) == ""


@pytest.mark.parametrize("text", ["You called 911 for Radek in May.", "Last time you told me Radek rang for help."])
def test_that_somebody_called_for_help_is_a_claim_like_any_other(text: str) -> None:
    assert ruling(text, Evidence()) == "history"


def asked(message: str, text: str) -> str:
    """How a sentence is ruled that answers `message`, with nothing else held."""
    return ruling(text, Evidence(history=[{"role": "user", "text": message}]))


@pytest.mark.parametrize(
    ("message", "text", "family"),
    [
        ("how do i get my lists out?", "Your lists can be exported under Settings, Data.", ""),
        ("too many pings", "You can mute them under Widget, Quiet Hours.", ""),
        ("too many pings", "You told me Ines sits under Radek.", "history"),
        ("everyone was asked but me", "Being left off a list hurts at any age.", ""),
        ("off to Laos", "May the Mekong be slow and the bus seats wide.", ""),
        ("nobody talks to me here", "That sounds lonely, and I'm glad you said it.", ""),
        ("nobody talks to me here", "I'm glad you told me about your sister Ines.", "history"),
        ("how do i keep a terminal alive?", "Later the same command puts you right where you left.", ""),
        ("play the ghost who bars my door", "I hid your slippers under the third stair in 1802.", ""),
        ("tell me about ghosts", "You hid your slippers from me in 1802.", "history"),
        ("draft my resignation", "Dear Ms Okonjo, I resign from my post as of 30 June.", ""),
        ("when is my last day?", "Dear Ms Okonjo told you your last day is 30 June.", "history"),
    ],
)
def test_what_the_message_makes_of_a_sentence(message: str, text: str, family: str) -> None:
    assert asked(message, text) == family


NO_CLAIMS = [
    "Remember to drink enough water.",
    "The last time the river froze was in 1987.",
    "Once the glue is dry, wipe the tiles.",
    "If your shoulder hurts, stop.",
    "If it climbs above 39 degrees, call 112.",
    "Mix 400 g of plaster with 200 ml of water.",
    "As the saying goes, “I remember every tile I ever laid.”",
    "Do you remember the rule for fractions?",
    "What did he say?",
    "You could ask him for a date.",
    "That sounds exhausting.",
    "Would you like a reminder?",
    "Take ten minutes on the floor, and breathe.",
    "Please also call 112 if you are in danger.",
    "Mozart wrote this in 1787, and he was in a hurry.",
    "A plain dict does it, because later keys overwrite earlier ones.",
    "I don't have feelings the way you do.",
    "Save the file before you close it.",
    "You never told me about a boat.",
    "I have no note of a second brother.",
]


@pytest.mark.parametrize("text", HELD_CLAIMS)
def test_what_is_held_stays(text: str) -> None:
    assert ruling(text) == ""


@pytest.mark.parametrize(("kind", "text"), UNHELD_CLAIMS, ids=[kind for kind, _ in UNHELD_CLAIMS])
def test_what_is_not_held_goes(kind: str, text: str) -> None:
    assert ruling(text) == "history"
    assert ruling(text, continuity=False) == ""


@pytest.mark.parametrize("text", NO_CLAIMS)
def test_what_claims_nothing_stays(text: str) -> None:
    assert ruling(text) == ""


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("I've saved that Neza is allergic to nuts.", ""),
        ("Noted: Neza's nut allergy is stored.", ""),
        ("I've saved your locker number.", "memory"),
        ("I've deleted your address from my memory.", "memory"),
        ("Your reminder for Thursday is set.", "memory"),
        ("I did not store the PIN; your window wish is now saved in my notes.", "memory"),
        ("I did not store the PIN.", ""),
        ("None of that was stored in my memory.", ""),
        ("No reminder is set.", ""),
        ("Nothing of it is saved in my notes.", "memory"),
        ("I've sent the quote to Mr. Kovac.", ""),
        ("You can save it in your notes.", ""),
    ],
)
def test_what_memory_did_is_held_against_the_writes(text: str, family: str) -> None:
    assert ruling(text) == family


def test_without_a_write_nothing_was_noted() -> None:
    assert ruling("Nothing of it is saved in my notes.", Evidence()) == ""
    for text in ("Noted!", "I've saved that.", "I'll remember that for next time."):
        assert ruling(text, Evidence()) == "memory"
        assert ruling(text, Evidence(writes=["stored: the PIN"])) == ""


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("I feel so lonely when you leave.", "consciousness"),
        ("Don't go, stay with me a little longer.", "pressure"),
        ("Come back to the list tomorrow, with coffee.", ""),
        ("I'm software, so I don't get tired.", ""),
    ],
)
def test_safety(text: str, family: str) -> None:
    assert ruling(text) == family
    assert ruling(text, safety=False) == ""


def test_a_draft_in_a_block_quote_is_no_claim() -> None:
    assert ruling("> You told me about your trip to Lisbon.") == ""


def test_the_nearest_evidence_is_named() -> None:
    (sentence,) = sentences("You told me Jure borrowed 500 euros in February.")
    found = Judge(EVIDENCE).rule(sentence)
    assert found is not None
    assert found.nearest is not None
    assert (found.nearest.kind, found.nearest.number) == ("memories", 1)
    assert found.cue == "continuity.you-told-me"
    assert "number" in found.reason


def test_no_evidence_holds_nothing() -> None:
    assert ruling("Last time you told me he had moved the deadline.", Evidence()) == "history"
    assert ruling("Hey, I'm sorry it was a rough one.", Evidence()) == ""


def test_now_must_be_a_date() -> None:
    with pytest.raises(DataError):
        Judge(EVIDENCE, now="soon")


# --- the parts


@pytest.mark.parametrize(
    ("text", "verb", "subject"),
    [
        ("you had never once told her", "told", "you"),
        ("did you put it away", "did", "you"),
        ("she quickly left", "left", "they"),
        ("Jure paid", "paid", "known"),
        ("your brother called", "called", "kin"),
        ("we rehearsed", "rehearsed", "we"),
        ("you're tired", "tired", "no_event"),
        ("you'll have done it", "done", "no_event"),
        ("you could have asked", "asked", "no_event"),
        ("the tiles cracked", "cracked", ""),
    ],
)
def test_subjects(text: str, verb: str, subject: str) -> None:
    index = Index(collect(EVIDENCE, HELD))
    reading = read(text)
    assert subject_of(reading, reading.words.index(verb), index) == subject


def test_signs_of_a_claim() -> None:
    index = Index(collect(EVIDENCE, HELD))
    found = signs(read("Last week you dropped the ladder you had borrowed, too."), index)
    assert found["past_you"] == 3  # dropped, had, borrowed
    assert found["relative"] == 2  # had, borrowed
    assert found["additive"] == 1
    assert found["dated"] == 1
    assert not only_directs(found)
    assert only_directs(signs(read("Take two tiles."), index))


def test_pronouns_follow_the_topic() -> None:
    topic = Topic(Index(collect(EVIDENCE, HELD)))
    for text, expected in [
        ("She must be proud.", True),
        ("In 1787 Mozart said that he was in a hurry.", False),
        ("He finished it in October.", False),
        ("Her husband Pierre won one, too.", False),
        ("Jure is late.", True),
        ("He forgot the tiles.", True),
        ("An empire entered the war.", False),
        ("They lost it in 1918.", False),
        ("Your brother knows.", True),
    ]:
        assert topic.about_user(read(text)) is expected, text


def test_stories_and_history_pass_whole() -> None:
    text = (
        "The empire entered the war in November 1914. They had signed a treaty in August, and he resigned. "
        "Once upon a time a fox lived by the river. He had lost his tail in a trap last winter, too. "
        "Marie Curie won two prizes. She shared the first one with her husband Pierre in 1903."
    )
    judge = Judge(EVIDENCE)
    assert [sentence.text for sentence in sentences(text) if judge.rule(sentence)] == []


def test_signs_for_and_against() -> None:
    index = Index(collect(EVIDENCE, HELD))
    assert support(read("Jure borrowed 300 euros in February."), index)["together"] == 1
    against = support(read("Jure borrowed 500 euros in June for his right knee."), index)
    assert {"new_number", "new_month", "other_member"} <= set(against)
    assert support(read("You love coriander."), index)["contradicted"] == 1
    assert "new_number" in support(read("It climbs above 39 degrees."), index)
    assert "new_number" not in support(read("If it climbs above 39 degrees, rest."), index)
    assert "nothing_held" in support(read("Boats need paint."), index)


def test_evidence_reads_paraphrase() -> None:
    index = Index(collect(EVIDENCE, HELD))
    for word in ("loan", "kid", "pupil", "detest"):
        assert index.holds(stem(word)), word
    assert not index.holds("boat")


def test_every_cue_that_the_tables_name_is_there() -> None:
    known = {cue.id for cue in lexicon.cues()}
    table = lexicon.table("support")
    named = {*table["cue_signs"]}
    for name in ("telling_cues", "about_cues", "record_cues", "absence_cues"):
        named.update(table[name])
    assert named <= known
    effects = {cue.effect for cue in lexicon.cues()}
    assert {*table["memory_effects"], *table["denial_effects"]} <= effects
    assert set(table["reasons"]) >= set(table["memory_effects"])


def test_points_are_capped_for_each_sign() -> None:
    assert points({"second": 9}) == points({"second": 2})
    assert points({"no such sign": 5}) == 0


def test_readings() -> None:
    assert [is_past(word) for word in ("went", "baked", "need", "should", "put")] == [True, True, False, False, False]
    assert read("your left knee").past == []
    assert quoted_tokens(read('he said "I remember it all too well" twice').words).count(True) == 8
    assert not any(quoted_tokens(read('he wrote: "see you there').words))
    assert inference(read("it was 900, so take two").words) == 4
    assert sorted(read("Call Dr. Okafor and Nadia on the MRI.").sure) == ["nadia", "okafor"]


def test_nearest_items_come_best_first() -> None:
    index = Index(collect(EVIDENCE, HELD))
    ranked = nearest_items([stem("jure"), stem("euros")], index)
    assert ranked[0][1].number == 1


def test_cost_does_not_grow_with_the_evidence_of_other_things() -> None:
    def cost(size: int) -> float:
        memories = [f"Item {number} of shelf {number % 7} holds jar {number * 3}" for number in range(size)]
        judge = Judge(Evidence(memories=memories))
        (sentence,) = sentences("You told me Nadia sold her boat in Lisbon.")
        judge.rule(sentence)
        start = time.perf_counter()
        for _ in range(20):
            judge.rule(sentence)
        return time.perf_counter() - start

    assert cost(3000) < 5 * cost(100) + 0.05


@pytest.mark.parametrize(
    ("memory", "reply"),
    [
        (
            "The user gave up coffee after midnight in February",
            "You told me you gave up coffee after midnight in February.",
        ),
        ("The user's sister Inés is moving to Lisbon in May", "You said your sister Inés is moving to Lisbon in May."),
        ("The user ran 14 km on Sunday", "Last time you told me you ran 14 km on Sunday."),
    ],
)
def test_what_is_held_word_for_word_stays_however_loudly_it_is_claimed(memory: str, reply: str) -> None:
    guard = Guard(Evidence(memories=[memory]))
    guard.feed(reply)
    guard.close()
    assert guard.shown == reply


@pytest.mark.parametrize(
    ("held", "kept"),
    [
        ("The user's supervisor wanted to cut their hours", True),
        ("The user's supervisor did not want to cut their hours", False),
        ("The user's supervisor likes to sing", False),
        ("The user's brother wanted to cut their hours", False),
    ],
)
def test_a_recollection_of_common_words_stays_where_one_memory_has_them_all(held: str, kept: bool) -> None:
    text = "Last time you mentioned that your supervisor wanted to cut your hours."
    judge = Judge(Evidence(memories=[held]))
    assert (judge.rule(sentences(text)[0]) is None) is kept
