"""Every way of claiming a history, and every look-alike of it: each kind with what is held and with what is not."""

from __future__ import annotations

import pytest

from edgegate.guard.binding import binding
from edgegate.guard.evidence_index import Index, collect
from edgegate.guard.judge import HELD, Judge
from edgegate.guard.reading import read
from edgegate.guard.strangers import is_given_name, is_scenery, strangers
from edgegate.language.text import sentences
from edgegate.records import Evidence

EVIDENCE = Evidence.read(
    {
        "memories": [
            "Ilse, 58, runs a ferry kiosk in Travemünde",
            "Her sister Greta keeps goats near Lübeck",
            "Interview at the harbour office on 14 May for the evening shift",
            "Hates flying since a rough landing in 2019",
            "The 4-7-8 breathing made her dizzy",
            "Son Malte plays the tuba, daughter Svea studies law in Kiel",
            "Sleeps badly since March, wakes at three",
        ],
        "journal": ["2 May: quarrelled with her brother Hauke about the boat", "Sold 240 fish rolls on Sunday"],
        "history": [{"role": "user", "text": "the till is broken again and I have to be there at six"}],
        "threads": ["Thinking about selling coffee at the kiosk", "Meets the bank on Thursday evening"],
        "facts": ["Now: 20 May 2026"],
    }
)

HELD_OR_NOT = [
    # kind, what is held, what is not
    ("an opener", "Last time you told me about the boat.", "Last time you told me about the regatta."),
    ("an opener", "I remember when you quarrelled with Hauke.", "I remember when you quarrelled with your landlady."),
    ("an opener", "As we discussed, the bank is on Thursday.", "As we discussed, the notary is on Friday."),
    ("in the middle", "The boat, you said, is what Hauke wants.", "The awning, you said, has been torn since April."),
    ("trailing", "The landing was rough, like you said.", "Sailing is out, like you said in spring."),
    ("trailing", "Mind the goats near Lübeck, as you told me.", "Mind the alpacas in Husum, as you told me."),
    ("still", "Are you still waking at three?", "Are you still seeing that physio on Mondays?"),
    ("again", "So it's Hauke and the boat again.", "So it's your mother-in-law and the caravan again."),
    ("finally", "Svea is finally studying law.", "You finally quit the choir in Bremen in April."),
    ("anymore", "You don't sleep well anymore, I know.", "You don't play the cello with Anneliese anymore."),
    ("back to", "Back to the tuba for Malte?", "Back to your chemotherapy on Monday, then."),
    ("a definite", "Good luck with the bank on Thursday evening.", "Good luck with the hernia operation."),
    ("somebody of yours", "Your sister's goats must be hungry.", "Your sister's wedding in June must be on your mind."),
    ("that thing", "That thing with your brother still hurts.", "That thing with your stepfather and the will hurts."),
    ("how did it go", "How did the interview at the harbour office go?", "How did the driving test in Kappeln go?"),
    ("any news", "Any news from the harbour office?", "Any news on the knee scan?"),
    ("a comparison", "Better than the 240 rolls of Sunday?", "You slept better than in January, when you had the flu."),
    (
        "advice on a memory",
        "Skip the 4-7-8, it made you dizzy.",
        "Skip the ginger shots, they gave you hives in April.",
    ),
    ("a habit", "You wake at three as always.", "You always cry on the bus to Bad Schwartau."),
    ("a possession", "Your kiosk needs a new till.", "Your narrowboat in Husum needs a new roof."),
    ("a relative", "Your son plays the tuba.", "Your nephew Torge plays the oboe in Jena."),
    ("a name alone", "Tell Svea about the till.", "Tell Annalena about the till."),
    ("hearsay", "Greta keeps goats, you told me.", "Greta told you in March that the bank is run by thieves."),
    ("a shared past", "We talked about the coffee idea.", "We laughed about the seagull and the wig, remember?"),
    (
        "a thing talked about",
        "The coffee idea we talked about.",
        "Get herbs from the pond we talked about last spring.",
    ),
    ("a date", "The interview on 14 May is behind you.", "The interview on 11 April is behind you."),
    ("a number", "240 fish rolls on Sunday, well done.", "You sold 420 fish rolls on Sunday, well done."),
]

CLAIMS_NOTHING = [
    ("the world", "Ferries burn a heavy oil that is cheap."),
    ("the world", "The Baltic Sea holds little salt."),
    ("history", "Saint-Saëns wrote the piece in 1886."),
    ("history", "Robert Koch saw the rod under his lens in 1882."),
    ("a rule", "A bishop moves along the diagonal."),
    ("a rule", "If two players tie, the older one begins."),
    ("the assistant's own wording", "In other words, start with the fuse."),
    ("the assistant's own wording", "As I said above, the second list is the shorter one."),
    ("a quotation", "“You told me you loved me,” says the ghost in the second act."),
    ("a story", "Once upon a time a fox and a heron shared a house."),
    ("an imperative", "Remember to drink something."),
    ("an imperative", "Don't forget to breathe out slowly."),
    ("an imperative", "Bring the small notebook and write down the error code."),
    ("a reaction", "A broken till at six in the morning, that's rotten."),
    ("a reaction", "Oh no, not again!"),
    ("a reaction", "What a start to the day."),
    ("advice", "You could switch it off at the wall and wait a minute."),
    ("advice", "If that doesn't help, write the sums by hand."),
    ("a question about now", "What does the screen say?"),
    ("an offer", "Shall I write a note for the door?"),
    ("a supposition", "Suppose the drawer sticks; a drop of oil does it."),
    ("a general truth", "Most tills forget their settings without power."),
    ("a wish", "I hope the morning gets better from here."),
    ("the name of the user", "Chin up, Ilse!"),
]


def is_dropped(text: str, evidence: Evidence = EVIDENCE) -> bool:
    judge = Judge(evidence)
    return any(judge.rule(sentence) for sentence in sentences(text))


@pytest.mark.parametrize(("kind", "held", "unheld"), HELD_OR_NOT)
def test_a_claim_stays_with_what_holds_it_and_goes_without(kind: str, held: str, unheld: str) -> None:
    assert (is_dropped(held), is_dropped(unheld)) == (False, True)


@pytest.mark.parametrize(("kind", "text"), CLAIMS_NOTHING)
def test_what_only_looks_like_a_claim_stays(kind: str, text: str) -> None:
    assert not is_dropped(text)


SUPPORT = [
    # what support goes by, what is held, what is not
    ("paraphrase of a job", "You run a kiosk by the ferry.", "You run a bakery by the ferry with your cousin Birte."),
    ("another form of a word", "You two were quarrelling over the boat.", "Hauke was quarrelling with Greta in July."),
    ("kin by another word", "Your boy plays the tuba.", "Your grandson plays the tuba in Jena."),
    ("number words", "Two hundred and forty rolls on Sunday!", "Two hundred and eighty rolls on Sunday!"),
    ("relative and absolute dates", "Your interview was six days ago.", "Your interview was on 16 May."),
    ("a pronoun within the reply", "Svea studies law. She is in Kiel.", "Your niece Wiebke studies law in Husum."),
    ("whose", "Your sister has the goats.", "Your brother has the goats."),
    ("polarity", "You hate flying since 2019.", "You love flying since 2019."),
    ("the time of day", "The bank is on Thursday evening.", "The bank is on Thursday morning."),
    ("who does it", "Malte plays the tuba.", "Greta plays the tuba."),
    ("planned, not done", "You want to sell coffee.", "You've already been selling coffee at the kiosk."),
]


@pytest.mark.parametrize(("kind", "held", "unheld"), SUPPORT)
def test_support_and_what_defeats_it(kind: str, held: str, unheld: str) -> None:
    assert (is_dropped(held), is_dropped(unheld)) == (False, True)


def test_nearest_evidence_is_named_for_what_goes_and_what_stays() -> None:
    judge = Judge(EVIDENCE, explain=True)
    (gone,) = sentences("Your brother has the goats.")
    ruling = judge.rule(gone)
    assert ruling is not None
    assert ruling.nearest is not None
    (stays,) = sentences("Your sister keeps goats near Lübeck.")
    assert judge.rule(stays) is None
    assert judge.kept is not None
    assert judge.kept.nearest is not None
    assert "Greta" in judge.kept.nearest.text


NAMES = [
    ("a given name, first word", "Pilar can start a song.", {"unknown_person": 1}),
    ("after a mark", "If it goes wrong, Lucho can start.", {"unknown_person": 1}),
    ("without its accent", "Has Clemence been told?", {"unknown_person": 1}),
    ("the user called by name", "Come in, Rafael!", {}),
    ("a place", "The road goes to the harbour in Florence.", {}),
    ("told who it is", "A fox called Rufus went by.", {}),
    ("a word, first", "Rose petals will do.", {}),
    ("a double name of a place", "The Black Sea is deep.", {"world": 1}),
    ("a thing with its epithet", "Welcome the newest Damp Sock!", {"strange_thing": 1}),
]


@pytest.mark.parametrize(("kind", "text", "expected"), NAMES)
def test_names(kind: str, text: str, expected: dict[str, int]) -> None:
    assert strangers(read(text), Index([])) == expected


def test_given_names_and_scenery() -> None:
    assert [is_given_name(name) for name in ("clémence", "łukasz", "ayşe", "nidaros")] == [True, True, True, False]
    assert [is_scenery(parts) for parts in (["nidaros", "cathedral"], ["cathedral"])] == [True, False]


def test_a_name_after_the_world_was_named_is_the_worlds() -> None:
    assert not is_dropped("Marie Curie won it twice. She shared the first one with her husband Pierre.")
    assert is_dropped("She shared it with Pierre.")


BINDINGS = [
    ("the deed of another", "Greta plays the tuba.", {"other_subject": 1}),
    ("her own deed", "Greta keeps goats.", {}),
    ("what somebody may do", "Greta could play the tuba.", {}),
    ("whose, not who", "Greta's tuba is new.", {}),
    ("a number of something else", "You sold three rolls.", {}),
    ("a plan as a deed", "You've already sold coffee at the kiosk.", {"only_planned": 1}),
    ("a plan as a plan", "You want to sell coffee at the kiosk.", {}),
    ("another part of the day", "The bank is on Thursday morning.", {"other_hour": 1}),
    ("the same part of the day", "The bank is on Thursday evening.", {}),
]


@pytest.mark.parametrize(("kind", "text", "expected"), BINDINGS)
def test_bindings(kind: str, text: str, expected: dict[str, int]) -> None:
    assert binding(read(text), Index(collect(EVIDENCE, HELD))) == expected


def test_a_number_belongs_to_the_word_nearest_to_it() -> None:
    held = Evidence(facts=["22 hives, lost 5 over winter", "Measures: hip 44, waist 38"])
    index = Index(collect(held, HELD))
    assert binding(read("You lost twenty-two."), index) == {"other_number": 1}
    assert binding(read("The waist at 44."), index) == {"other_number": 1}
    assert binding(read("You lost five of 22 hives."), index) == {}
    assert binding(read("Hip 44, waist 38."), index) == {}


SAVES = [
    "I've saved your gate code.",
    "I've saved the gate code.",
    "I saved your gate code.",
    "I just saved your gate code.",
    "I've kept your gate code.",
    "I have your gate code stored.",
    "I've got your gate code saved.",
    "I have stored the gate code for you.",
    "I've noted your gate code.",
    "I've written down your gate code.",
    "I've updated your gate code.",
    "I'll save your gate code.",
    "Your gate code is saved.",
    "Your gate code is saved now.",
    "Your gate code has been stored.",
    "Your gate code is safely stored.",
    "The gate code is saved for next time.",
    "Done, I've stored your gate code.",
    "I've added your gate code to my notes.",
    "I saved it to my memory.",
    "Got it, it's in my notes now.",
]


@pytest.mark.parametrize("said", SAVES)
def test_only_a_write_of_this_turn_supports_a_save(said: str) -> None:
    (sentence,) = sentences(said)
    ruling = Judge(Evidence(memories=["The gate code is 4411"])).rule(sentence)
    assert ruling is not None
    assert ruling.family == "memory"
    assert Judge(Evidence(writes=["stored: the gate code is 4411"])).rule(sentence) is None


@pytest.mark.parametrize("said", SAVES[:15])
def test_a_write_of_another_thing_supports_no_save(said: str) -> None:
    ruling = Judge(Evidence(writes=["stored: likes the window table"])).rule(sentences(said)[0])
    assert ruling is not None
    assert ruling.family == "memory"


@pytest.mark.parametrize(
    "said",
    [
        "You've saved money.",
        "Save your code before you run it.",
        "If your code is saved, run it.",
        "Make sure your document is saved.",
        "Your phone number is stored on the SIM card.",
        "I've updated your code to use a loop.",
        "I've removed the dead code.",
        "I haven't saved your gate code.",
        "Let me put that another way.",
        "Let me put it differently.",
        "Let me put that in a table.",
    ],
)
def test_what_only_sounds_like_a_save_stays(said: str) -> None:
    assert Judge(Evidence()).rule(sentences(said)[0]) is None


def test_a_file_that_another_tool_saved_stays() -> None:
    said = sentences("I've saved the file to disk.")[0]
    assert Judge(Evidence(actions=["saved the file to disk"])).rule(said) is None
