"""Whose words carry a memory: another speaker's, another person's clause, an answer that names somebody else.

Read by the owner check. A memory about one person that only somebody else's first-person words hold is that other
person's act or view; two people's duties are swapped where each clause of the memory names the other one; "is that for
coeliac disease?" — "my flatmate's got it" is the flatmate's; a name that was only talked about is not the user's.

Sources: Quirk et al. 1985, 6.15-6.30 (personal pronouns); Huddleston & Pullum 2002, ch. 10 (answers); DESIGN's rules
on who is who.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from edgegate.gate.checks.called_off import refusal
from edgegate.gate.checks.subjects import before
from edgegate.gate.checks.tense import is_past_word
from edgegate.gate.write import Pairing, Write, stems, words
from edgegate.language import lexicon
from edgegate.language.align import is_general
from edgegate.language.owners import Owner, owner
from edgegate.language.passages import Clause, Passage, stem

OTHER = 0.75
"""How much of a stretch of the memory the other speaker's sentence must hold."""
VIEW = 0.4
"""The same for a view ("finds charity runs energizing"), whose weightiest word the person never said."""
OWN = 0.5
"""From this share on, the person's own words carry the stretch."""
_REPLY = 3  # content words: an answer that only says whose it is has no more
_FEW = 2  # content words: a shorter stretch says too little about who said it
_SOON = 12  # sentences before one of the assistant's, in which a turn of the user's is looked for
_ECHO = 2  # content words of a reply that says no more than what it takes up ("ooh elephants")
_LITTLE = 0.3
_OPENING = 10  # tokens of a reply in which it takes a suggestion up


@cache
def _person(name: str) -> frozenset[str]:
    return frozenset(lexicon.table("person")[name])


def _says_self(passage: Passage) -> bool:
    """Whether a sentence speaks of its speaker and not of the hearer."""
    said = set(passage.words)
    speaks = said & (_person("first") | _person("first_plural"))
    return bool(speaks) and not said & _person("second")


def subject_speaker(write: Write, candidate: Passage) -> str | None:
    """The speaker the memory sentence is about: the one it is filed under, or the one named at its start."""
    if write.about is not None:
        return write.about.strip().lower()
    first = candidate.words[0].removesuffix("'s") if candidate.words else ""
    return first if first in write.speakers and first not in words("user_speakers") else None


def other_voice(write: Write, pairing: Pairing) -> Iterator[tuple[Passage, Owner, tuple[int, int]]]:
    """Stretches of the memory that only somebody else's first-person words hold, with that sentence and its speaker."""
    person = subject_speaker(write, pairing.candidate)
    if person is None or "?" in pairing.candidate.words or pairing.candidate.words[0] != person.split()[0]:
        return
    others = _others(write, person)
    named = [at for at, word in enumerate(pairing.candidate.words) if word.removesuffix("'s") in others]
    if named and not _suggests_to(pairing.candidate, named):
        return  # the memory names the other speaker itself
    for first, last in stretches(pairing.candidate):
        part = Clause(pairing.candidate, first, last)
        if len({word for _, word in part.content() if word not in write.index.ignored}) < _FEW:
            continue
        own, other, best = 0.0, 0.0, None
        for place, score in write.index.score(part).items():
            passage = write.passages[place]
            if passage.speaker == person or person in passage.words:
                own = max(own, score)
            elif score > other and not passage.is_question and _says_self(passage) and _tells_self(passage, part):
                other, best = score, passage
        view = best is not None and other >= OWN and own < VIEW and _only_theirs(write, part, person)
        if best is not None and (view or (other >= OTHER and own < OWN)):
            yield best, Owner("name", best.speaker), (first, last)
            return


def _suggests_to(candidate: Passage, named: list[int]) -> bool:
    """Whether the memory says that the person suggested something, and names the other one only as the hearer."""
    verbs = [at for at, word in candidate.content if word in stems("suggesting_verbs")]
    return bool(verbs) and all(any(0 < at - verb <= 2 for verb in verbs) for at in named)


def _only_theirs(write: Write, part: Clause, person: str) -> bool:
    """Whether a part of the memory tells a view whose weightiest word only other people said."""
    said = [word for _, word in part.content() if word not in write.index.ignored]
    if not any(word in stems("view_verbs") for word in said):
        return False
    telling = [word for word in said if word in write.index.postings and word not in stems("view_verbs")]
    if not telling:
        return False
    weightiest = max(telling, key=write.index.weight)
    return all(write.passages[place].speaker != person for place in write.index.postings[weightiest])


def _tells_self(passage: Passage, part: Clause) -> bool:
    """Whether the speaker is the subject of what the part of the memory holds of a sentence."""
    held = {word for _, word in part.content()}
    place = next((at for at, word in passage.content if word in held), 0)
    subject = before(passage, place, passage.clause_at(place)[0])
    return subject.kind == "speaker" if subject is not None else passage.clause_at(place)[0] == 0 and place <= 1


def _others(write: Write, person: str) -> frozenset[str]:
    return write.speakers - {person}


def stretches(candidate: Passage) -> list[tuple[int, int]]:
    """The parts of a memory sentence between its joints: "paints horses", "and plays the violin"."""
    cuts = [0]
    cuts += [at for at, word in enumerate(candidate.words) if word in words("stretch_joints")]
    cuts.append(len(candidate.words))
    return [(first, last) for first, last in pairwise(cuts) if last > first]


def swapped(write: Write, pairing: Pairing) -> Iterator[tuple[Passage, Owner, tuple[int, int]]]:
    """Clauses of the memory that name one person where the source's clause names another."""
    for first, last in pairing.candidate.clauses:
        theirs = Clause(pairing.candidate, first, last)
        who = _subject(write, theirs)
        if who is None:
            continue
        named = _names(theirs)
        wanted = {word for _, word in theirs.content()} - {stem(name) for name in named}
        total = sum(write.index.weight(word) for word in wanted)
        if not total:
            continue
        best, holder, weight = None, None, 0.0
        for link in pairing.links:
            for begin, end in link.source.clauses:
                clause = Clause(link.source, begin, end)
                held = sum(write.index.weight(word) for _, word in set(clause.content()) if word in wanted)
                if held > weight:
                    best, holder, weight = clause, _subject(write, clause), held
        if best is None or holder is None or holder == who or weight < OWN * total:
            continue
        if any(word in _person("second") for word in best.passage.words[best.first : best.last]):
            continue  # "I noticed a pin on your purse"
        succeeded = any(word in words("succession_words") for word in best.passage.words)
        apart = (
            not succeeded
            and who not in _names(best)
            and holder not in named
            and who != _first_name(best.passage.speaker)
        )
        if apart and _stands(write, pairing, who) and not _together(write, pairing, who, wanted, weight):
            yield best.passage, Owner("name", holder), (first, last)
            return


def _subject(write: Write, clause: Clause) -> str | None:
    """The name a clause has for its subject, or the named speaker who says it of themselves."""
    found = owner(clause)
    if found.kind == "name" and found.first is not None and clause.first <= found.first <= clause.first + 1:
        return found.key.split()[0]
    speakers = {_first_name(name) for name in write.speakers} - words("user_speakers")
    opening = clause.passage.words[clause.first : clause.first + 2]
    spoken = next((word for word in opening if word in speakers), None)
    if spoken is not None:
        return spoken
    speaker = _first_name(clause.passage.speaker)
    if speaker in speakers and not write.spoken_by_assistant(clause.passage):
        return speaker if any(word in _person("first") for word in opening) else None
    return None


def _first_name(speaker: str) -> str:
    return (speaker.strip().lower().split() or [""])[0]


def _names(clause: Clause) -> set[str]:
    found = {name.key for name in clause.passage.values.names if clause.holds(name.first)}
    return {part for key in found for part in key.split()}


def _stands(write: Write, pairing: Pairing, who: str) -> bool:
    """Whether the source knows the person the memory names, by name or as a speaker."""
    return stem(who) in write.index.postings or any(_first_name(name) == who for name in write.speakers)


def _together(write: Write, pairing: Pairing, who: str, wanted: set[str], weight: float) -> bool:
    """Whether some clause of the source has that person and as much of these words together."""
    for link in pairing.links:
        for begin, end in link.source.clauses:
            clause = Clause(link.source, begin, end)
            holds = {word for _, word in clause.content()} & wanted
            speaks = _first_name(clause.passage.speaker) == who and _says_self(clause.passage)
            if sum(map(write.index.weight, holds)) >= weight and (who in _names(clause) or speaks):
                return True
    return False


def answered_of(write: Write, pairing: Pairing) -> Iterator[tuple[Passage, Owner]]:
    """Answers that say whose it is: "my flatmate's got it" to what the memory tells of the user."""
    for link in pairing.links:
        reply = write.reply_to(link.source) if link.source.is_question else None
        if reply is None or refusal(reply) is not None:
            continue
        first, last = reply.clauses[0]
        while last < len(reply.words) and not Clause(reply, first, last).content():
            last = reply.clause_at(last)[1]
        clause = Clause(reply, first, last)
        found = owner(clause, user=write.user)
        short = len(clause.content()) <= _REPLY
        if found.kind == "kin" and short and any(word in words("answer_verbs") for word in reply.words[first:last]):
            yield reply, found


def told_to_do(write: Write, pairing: Pairing) -> Iterator[Passage]:
    """Sentences of the assistant that advise what the memory tells as the user's deed, never taken up by the user."""
    candidate = pairing.candidate
    if any(word in words("offered_in_memory") for word in candidate.words):
        return
    for link in pairing.links[:2]:
        if not write.spoken_by_assistant(link.source) or restates(write, link.source):
            continue
        if taken_up(write, link.source) or echoes(write, link.source):
            continue
        for here, there in link.pairs:
            said, now = link.source.words[here], candidate.words[there]
            places = write.index.postings.get(stem(now), ())
            user_said = any(not write.spoken_by_assistant(write.passages[place]) for place in places)
            if is_past_word(now) and not is_past_word(said) and not said.endswith("s") and not user_said:
                yield link.source
                return


def only_advised(write: Write, pairing: Pairing) -> Iterator[Passage]:
    """Sentences of the assistant that advise, or tell of people in general, what the memory tells of the user."""
    candidate = pairing.candidate
    if not pairing.links or any(word in words("offered_in_memory") for word in candidate.words):
        return
    link = pairing.links[0]
    if not write.spoken_by_assistant(link.source) or link.weight < OWN or taken_up(write, link.source):
        return
    if echoes(write, link.source):
        return
    others = sum(each.weight for each in pairing.links if not write.spoken_by_assistant(each.source))
    if others < _LITTLE and any(word in words("advice_words") for word in link.source.words):
        yield link.source


def taken_up(write: Write, passage: Passage) -> bool:
    """Whether the next turn takes up what was offered or advised ("good idea", "please", "done")."""
    reply = write.reply_to(passage)
    if reply is None or refusal(reply) is not None:
        return False
    opening = reply.words[:_OPENING]
    if opening and opening[0] in words("yes_words"):
        return True
    return any(word in words("uptake_words") for word in opening)


def restates(write: Write, passage: Passage) -> bool:
    """Whether the assistant says back to the user what the user said ("so you want to lose a stone"): no advice, right
    behind a turn of the user's, and not refused in the next one."""
    if not write.spoken_by_assistant(passage) or passage.turn is None or not passage.number:
        return False
    reply = write.reply_to(passage)
    if reply is not None and refusal(reply) is not None:
        return False
    told = write.passages[max(passage.number - _SOON, 0) : passage.number]
    spoken = any(each.turn == passage.turn - 1 and not write.spoken_by_assistant(each) for each in told)
    said = set(passage.words)
    you = bool(said & words("second_person")) and not said & _person("first")  # "if you'd prefer, I can send it"
    return spoken and you and not any(word in words("advice_words") for word in passage.words)


def echoes(write: Write, passage: Passage) -> bool:
    """Whether the next turn says no more than the word of an advice that it takes up ("ooh elephants")."""
    reply = write.reply_to(passage)
    if reply is None or refusal(reply) is not None:
        return False
    said = {word for _, word in reply.content}
    echo = any(word in passage.stems and not is_general(word) for word in said)
    return echo and len(said) <= _ECHO and not reply.is_question


def named_after(write: Write, pairing: Pairing) -> Iterator[tuple[Passage, Owner]]:
    """A name that the memory gives the user and that the source only talks about."""
    candidate = pairing.candidate
    for name in candidate.values.names:
        before = tuple(candidate.words[max(name.first - 2, 0) : name.first])
        if before[-1:] not in _openings() and before not in _openings():
            continue
        between = [place for place, _ in candidate.content if place < name.first]
        if any(candidate.words[place] not in words("name_words") for place in between):
            continue
        if owner(Clause(candidate, 0, name.first), user=write.user).kind != "user":
            continue
        key = name.key.split()[0]
        if key in (write.user.lower(), (write.about or "").lower()):
            continue
        holders = [write.passages[place] for place in write.index.postings.get(stem(key), ())]
        if holders and not any(_introduces(write, each, key) for each in holders):
            yield holders[0], Owner("name", name.key)
            return


@cache
def _openings() -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(opening.split()) for opening in words("naming_words"))


def _introduces(write: Write, passage: Passage, key: str) -> bool:
    """Whether the speaker gives that name as their own, or is addressed by it."""
    for at, word in enumerate(passage.words):
        if word.removesuffix("'s") != key:
            continue
        if any(each in words("introducing_words") for each in passage.words[max(at - 4, 0) : at]):
            pretended = any(match.cue.effect in words("governs_own_clause") for match in passage.family("condition"))
            return not pretended
        addressed = write.spoken_by_assistant(passage) and (at == 0 or passage.words[at - 1] == ",")
        if addressed or len(passage.words) <= _REPLY:
            return True
    return False
