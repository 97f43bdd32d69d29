"""What came to nothing: called off, refused, withdrawn from; answered with no; the opposite state.

Read by the polarity check. A withdrawal speaks of its clause, subject and object ("Ravi's pulled out", "the trip fell
through"); a refusal that names nothing speaks of what stands before it ("asked for Fridays off, her boss said no").

Sources: Karttunen 1971 (implicative verbs), Levin 1993 (verbs of refusal), Cruse 1986, ch. 9-10 (opposites).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from edgegate.gate.checks.beside import clause_part, tells_beside
from edgegate.gate.checks.subjects import before
from edgegate.gate.write import Pairing, Write, carried, cue_words, stems, words
from edgegate.language.align import Link
from edgegate.language.compare import denied, negations, opposite
from edgegate.language.cues import CueMatch
from edgegate.language.owners import owner
from edgegate.language.passages import Clause, Passage, stem

FAMILY = "withdrawal"
_NEAR = 3  # tokens from the cue to its object
SHARE = 0.4
"""How much of what came to nothing the memory must hold."""


def called_off(write: Write, pairing: Pairing, link: Link) -> tuple[CueMatch, Sequence[int]] | None:
    """The cue by which the source says that it came to nothing, with the memory's tokens that assert it, or None."""
    source, candidate = link.source, pairing.candidate
    found = source.family(FAMILY)
    if tells_of_failure(candidate) or source.is_question:
        return None  # "should I bin the charger?" asks
    for match in found:
        if match.cue.effect in words("undone_effects") or is_undone(write, source):
            continue
        if any(each.last <= match.first and match.first - each.last <= 3 for each in negations(Clause.whole(source))):
            continue  # "they never turned me down"
        if any(
            0 <= match.first - each.last < _NEAR
            and (each.cue.effect in words("open_in_memory") or each.cue.id in words("wishes_to_do"))
            for each in source.family("hedge")
        ):
            continue  # "thinking of maybe jacking in the carvery"
        if source.words[match.last - 1] in words("determiners_no") and any(
            at == match.last for at, _ in source.content
        ):
            continue  # "said no pellets": what is not to be, and no refusal
        first, last = source.clause_at(match.first)
        last = clause_part(source, match.last, last)
        split = source.words[match.last - 1] in words("split_particles") and match.last - match.first > 2
        besides = (match.first, match.last - 1) if split else cue_words(match)  # "called the wedding off"
        inside = [place for place, _ in source.content if first <= place < last and place not in besides]
        dated = {at for each in source.values.dates for at in range(each.first, each.last)}
        objects = [
            place for place in inside if place >= match.first and place not in dated
        ]  # "jacked that in on Saturday"
        complete = source.words[match.last - 1] not in words("object_openers")
        names = {at for each in source.values.names for at in range(each.first, each.last)}
        subjects = [place for place in inside if place < match.first and place in names]
        if match.cue.effect in words("refusing_effects") and not objects:
            tokens = _asked_for(write, pairing, source, first)
            if tokens:
                return match, tokens
            passive = source.words[match.first] in words("passive_words")
            if not passive and (subjects or match.cue.effect not in words("refusing_subjects")):
                continue
        held = carried(write, pairing, link, first, last, besides)
        behind = [place for place in objects if place >= match.first + 1]
        nearest = bool(behind) and behind[0] in held.source and behind[0] - match.last < _NEAR
        front = [place for place in inside if place < match.first]
        if match.cue.effect not in words("refusing_effects") and front and match.first - front[-1] < _NEAR:
            nearest = nearest or front[-1] in held.source  # "the naproxen went in the bin after my kidney numbers"
        if not held.own or (held.share < SHARE and not nearest):
            continue
        if not subjects and tells_beside(write, source, candidate, first, last, held.source):
            continue
        if subjects and not any(place in held.source for place in subjects):
            continue
        if objects and subjects and not complete and not any(place in held.source for place in objects):
            continue
        return match, held.candidate
    return None


def _asked_for(write: Write, pairing: Pairing, source: Passage, before: int) -> Sequence[int]:
    """The memory's tokens for what was asked for before a refusal: in the same sentence, else in the one before."""
    for link in pairing.links:
        if link.source is source and before:
            held = carried(write, pairing, link, 0, before)
            if held.own and held.share >= SHARE:
                return held.candidate
    leader = write.before(source)
    if leader is None or before:
        return ()
    for link in pairing.links:
        if link.source is leader:
            held = carried(write, pairing, link, 0, len(leader.words))
            if held.own and held.share >= SHARE:
                return held.candidate
    return ()


def refused_before(write: Write, pairing: Pairing, link: Link) -> tuple[CueMatch, Sequence[int]] | None:
    """The refusal in the next sentence of what this one asks for, with the memory's tokens that assert it, or None."""
    after = write.after(link.source)
    if after is None or tells_of_failure(pairing.candidate):
        return None
    for match in after.family(FAMILY):
        objects = [place for place, _ in after.content if place >= match.last]
        if match.cue.effect in words("refusing_effects") and not objects and not is_undone(write, after):
            held = carried(write, pairing, link, 0, len(link.source.words))
            if held.own and held.share >= SHARE:
                return match, held.candidate
    return None


def is_undone(write: Write, source: Passage) -> bool:
    """Whether the source goes on to take the withdrawal back ("at first", "but it's back on")."""
    near = (source, write.after(source))
    return any(
        match.cue.effect in words("undone_effects")
        for each in near
        if each is not None
        for match in each.family(FAMILY)
    )


def tells_of_failure(candidate: Passage) -> bool:
    """Whether the memory says itself that something was refused, called off or only asked for."""
    return any(word in words("withdrawn_in_memory") for word in candidate.words) or any(
        match.cue.effect not in words("undone_effects") for match in candidate.family(FAMILY)
    )


def refusal(passage: Passage) -> CueMatch | None:
    """The words by which a reply says no ("far from it", "not yet", "I wish"), or None."""
    return next((match for match in passage.family("refusal") if match.first == 0), None)


@cache
def _valences() -> dict[str, int]:
    return {stem(word): 1 for word in words("good_states")} | {stem(word): -1 for word in words("bad_states")}


def opposite_state(pairing: Pairing, link: Link) -> tuple[int, int] | None:
    """The source's and the memory's token of two opposite states of one thing, or None.

    "The biopsy was clear" and "the biopsy found cancer"; "nothing wrong with the roof" and "the roof is damaged".
    """
    source, candidate = link.source, pairing.candidate
    if any(word in words("habit_openers") for word in source.words):
        return None  # "used to hate them" and "loves them"
    parts_of_source = [Clause(source, begin, end) for begin, end in source.clauses]
    ascribed = {clause: (clause.content(), _states(clause)) for clause in parts_of_source}
    for first, last in candidate.clauses:
        theirs = Clause(candidate, first, last)
        mine = {word for _, word in theirs.content()}
        for there, state, sign in _states(theirs):
            for clause, (said, states_there) in ascribed.items():
                shared = {word for _, word in said if word in mine and word not in (state, "not")}
                if not shared or not _only_in(source, clause, shared):
                    continue
                for here, other, valence in states_there:
                    if other in shared or (state in source.stems and not sign):
                        continue
                    if sign and valence and sign != valence and not any(s == sign for _, _, s in states_there):
                        return here, there
                    level = _denials(clause, here) == _denials(theirs, there)
                    undone = _undoes(source.words[here], candidate.words[there])
                    if level and undone and other not in candidate.stems:
                        return here, there
                    first, last = clause.first, clause.last
                    passed = any(word in words("speaker_objects") for word in source.words[first:last])
                    plain = not passed and level and not sign and not valence and other not in candidate.stems
                    if plain and opposite(other, state) and _same_side(source, clause, here, theirs, there):
                        return here, there
    return None


def _same_side(source: Passage, clause: Clause, here: int, theirs: Clause, there: int) -> bool:
    """Whether two opposite words tell of one state of one subject.

    Not where a deed is told from its other end ("lent Siobhan my Strat", "Siobhan is borrowing it"), where the source
    goes on to tell what became of it ("was broken but they fixed it"), or where it only supposes.
    """
    if any(match.cue.effect in words("condition_in_source") for match in source.family("condition")):
        return False
    behind = source.words[clause.last : clause.last + 2]
    was = any(word in words("past_auxiliaries") for word in source.words[clause.first : here])
    if was and any(word in words("contrasts") or word in words("now_words") for word in behind):
        return False
    following = theirs.passage.words[there + 1 : there + 2]
    if stem(theirs.passage.words[there]) in stems("converse_verbs"):
        subject = before(source, here, clause.first)
        speaker = subject is None or subject.kind == "speaker"
        return speaker == (owner(theirs).kind in ("user", ""))
    return not (
        theirs.passage.words[there] in words("lasting_participles")
        and following[:1] != []
        and (following[0] in words("place_openers"))
    )


def _undoes(there: str, here: str) -> bool:
    """Whether one word is the other undone: "unsubscribed" and "subscribed"."""
    return any(there == f"{prefix}{here}" or here == f"{prefix}{there}" for prefix in words("undoing_deeds"))


def exchanged(write: Write, pairing: Pairing, link: Link) -> Sequence[int]:
    """The memory's tokens for what the source gave away for something else, where the memory has it still.

    "We swapped the Thursday class for Friday" and "User's class is on Thursday".
    """
    source, candidate = link.source, pairing.candidate
    if any(word in words("exchanged_in_memory") for word in candidate.words):
        return ()
    for place, word in enumerate(source.words):
        if stem(word) not in stems("exchange_verbs") or denied(Clause.whole(source), place) is not None:
            continue
        _, last = source.clause_at(place)
        joint = next((at for at in range(place + 2, last) if source.words[at] in words("exchange_joints")), None)
        if joint is None:
            continue
        old = {w for at, w in source.content if place < at < joint}
        new = {w for at, w in source.content if joint < at < last}
        kept = [at for at, w in candidate.content if w in old - new]
        if new and kept and not any(w in candidate.stems for w in new - old):
            own = {there for _, there in link.pairs}
            return kept if any(at in own for at in kept) else ()
    return ()


def _only_in(source: Passage, clause: Clause, shared: set[str]) -> bool:
    """Whether what both speak of stands in no other clause of the source sentence."""
    places = [place for word in shared for place in source.stems[word]]
    return any(all(clause.holds(place) for place in source.stems[word]) for word in shared) and bool(places)


def _states(clause: Clause) -> list[tuple[int, str, int]]:
    """The states a clause ascribes: token, stem, and whether that is well (1) or not (-1), 0 for any other word."""
    found = []
    valences = _valences()
    denying = negations(clause)
    for place, word in clause.content():
        sign = valences.get(word, 0)
        if sign and _denials(clause, place):
            sign = -sign
        if word != "not":
            found.append((place, word, sign))
    for match in denying:
        after = clause.passage.words[match.last : match.last + 1]
        if any(stem(each) in stems("tolerance_verbs") for each in after):
            found.append((match.first, "not", -1))
    return found


def _denials(clause: Clause, place: int) -> bool:
    return sum(match.scope_first <= place < match.scope_last for match in negations(clause)) % 2 == 1


def opposed(pairing: Pairing, link: Link) -> Iterator[tuple[int, int]]:
    """The opposite states of one link, at most one."""
    found = opposite_state(pairing, link)
    if found is not None:
        yield found
