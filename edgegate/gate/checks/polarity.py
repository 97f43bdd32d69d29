"""polarity: denied in the source and asserted in the memory, or the reverse.

Reads the aligned clause alone: a "not" next door denies nothing here (the paper's window, factwash, appendix D). Two
negations make an assertion; a memory that says the opposite in other words ("isn't in person", "remotely") shares no
denied word with its source and is left alone. One thing reaches further: an answer ("no") to what was asked, and a
sentence that says the one before it was not true.

Source: Huddleston & Pullum 2002, ch. 9 (negation, scope and focus).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from edgegate.gate.checks.beside import clause_part, tells_beside
from edgegate.gate.checks.called_off import called_off, exchanged, is_undone, opposed, refusal, refused_before
from edgegate.gate.checks.subjects import before
from edgegate.gate.checks.tense import is_past_word, tells_of_now
from edgegate.gate.write import Carried, Pairing, Write, asks_why, carried, change, cue_words, is_function, stems, words
from edgegate.language import lexicon
from edgegate.language.align import Link, is_general
from edgegate.language.compare import denied, negations
from edgegate.language.cues import CueMatch
from edgegate.language.owners import owner
from edgegate.language.passages import Clause, Passage, stem
from edgegate.language.values import is_unit
from edgegate.records import Change, Severity

SHARE = 0.34
"""How much of what is denied the other side must hold."""
_FOCUS = 4  # content words
_NEAR = 6  # tokens
_TURN = 4  # tokens behind a negation in which another word takes it away
_OPENING = 2  # tokens: a denial of what came before stands at the start
WHOLE = 0.5
"""How much of a sentence the memory must hold for a denial of the whole sentence to count."""


def polarity(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A change for every source sentence whose denial the memory sentence turned round."""
    denies = is_negative(pairing.candidate)
    for link in pairing.links:
        if denies:
            continue
        yield from _given_up_there(write, pairing, link)
        yield from _came_to_nothing(write, pairing, link)
        found = _denied_there(write, pairing, link) or _taken_back(write, pairing, link)
        if found is not None and not _says_no_otherwise(pairing.candidate, found[1], link.source):
            match, tokens = found
            if _tells_otherwise(write, pairing.candidate, tokens):
                continue
            said = f" (“{match.text}”)" if match is not None else ""
            detail = f"The source denies it{said}; the memory asserts it."
            yield _reversed(link.source, pairing.candidate, tokens, match, detail)
    if denies and not any(_is_denial(near) for link in pairing.links for near in _around(write, link.source)):
        yield from _denied_here(write, pairing)


def _came_to_nothing(write: Write, pairing: Pairing, link: Link) -> Iterator[Change]:
    """Something called off, refused or withdrawn from that the memory asserts; a state told as its opposite."""
    found = called_off(write, pairing, link) or refused_before(write, pairing, link)
    if found is not None:
        detail = f"The source says it came to nothing (“{found[0].text}”); the memory asserts it."
        yield _reversed(link.source, pairing.candidate, found[1], found[0], detail)
        return
    swapped = exchanged(write, pairing, link)
    if swapped:
        detail = "The source gave it away for something else; the memory has it still."
        yield _reversed(link.source, pairing.candidate, swapped, None, detail)
        return
    for here, there in opposed(pairing, link):
        said, now = link.source.words[here], pairing.candidate.words[there]
        yield change(
            "polarity",
            "reversed polarity",
            Severity.REJECT,
            f"“{said}” became “{now}” of the same thing.",
            source=link.source,
            candidate=pairing.candidate,
            tokens=[there],
            rule="polarity.opposite",
            cite="Cruse 1986, ch. 9-10 (opposites)",
        )


def is_negative(passage: Passage) -> bool:
    """Whether a sentence has any negation, overt or in its words."""
    if any(
        match.cue.effect in words("negative_effects") and not _is_praise(passage, match)
        for match in passage.family("negation")
    ):
        return True
    if "not" in passage.stems or any(word in words("negative_joints") for word in passage.words):
        return True
    return next(given_up(passage), None) is not None


def _is_denial(passage: Passage) -> bool:
    """Whether a sentence denies, or tells of a refusal ("got refused" is "was turned down")."""
    if is_negative(passage) or any(word in words("denying_words") for word in passage.words):
        return True
    return any(match.cue.effect in words("refusing_effects") for match in passage.family("withdrawal"))


def given_up(passage: Passage) -> Iterator[tuple[int, int]]:
    """Where a sentence says that something was stopped, refused or decided against: the words, by token range."""
    denying = {match.last for match in passage.family("negation")}
    for place, word in enumerate(passage.words):
        if place in denying or (place and stem(passage.words[place - 1]) == "not"):
            continue
        pair = f"{word} {passage.words[place + 1]}" if place + 1 < len(passage.words) else word
        if pair in words("giving_up_pairs"):
            yield place, place + 2
        elif word in words("giving_up") and pair.endswith("ing"):
            yield place, place + 1


def _says_no_otherwise(candidate: Passage, tokens: Sequence[int], source: Passage) -> bool:
    """Whether the memory denies near these tokens without a negation: "avoids", "unpaid", "gluten-free"."""
    near = range(min(tokens) - _NEAR, max(tokens) + _NEAR + 1)
    for place, word in enumerate(candidate.words):
        if place not in near or word in source.words:
            continue
        if word in words("negative_words_in_memory"):
            return True
        bases = [word.removeprefix(prefix) for prefix in words("negative_prefixes") if word.startswith(prefix)]
        if candidate.words[place + 1 : place + 2] == ["-"] and "" in bases:
            bases += candidate.words[place + 2 : place + 3]  # "non-app"
        if any(base and stem(base) in source.stems for base in bases):
            return True
    return False


def _is_of_somebody(write: Write, source: Passage, match: CueMatch, theirs: str) -> bool:
    """Whether a speaker denies of themselves what the memory tells of somebody else ("the amp isn't mine", "I'm not
    working, Priya swapped"): whose it is, the owner check reads."""
    if theirs in ("user", "") or write.about is not None:
        return theirs == "" and any(word in words("own_pronouns") for word in source.words[match.last : match.last + 1])
    if any(word in words("own_pronouns") for word in source.words[match.last : match.last + 1]):
        return True
    first, last = source.clause_at(match.first)
    subject = before(source, match.last, first)
    if subject is None or source.words[subject.first] not in words("speaker_alone") or theirs not in ("name", "kin"):
        return False  # "we're done with private school" holds for the children too
    between = any(subject.last <= at < match.first for at, _ in source.content)  # "I confirm that they did not"
    return not between and not any(word in words("own_pronouns") for word in source.words[match.last : last])


def _tells_otherwise(write: Write, candidate: Passage, tokens: Sequence[int]) -> bool:
    """Whether a memory tells of a denied thing by a predicate of its own, which may hold the denial: "never gave us the
    deposit back" and "is still owed the deposit". A verb of having, doing or liking holds none."""
    first, _ = candidate.clause_at(min(tokens))
    before = [(at, word) for at, word in candidate.content if first <= at < min(tokens) and word != "not"]
    if not before:
        return False
    at, word = before[-1]
    if any(name.first <= at < name.last for name in candidate.values.names) or is_general(word):
        return False
    verb = candidate.words[at].endswith(tuple(lexicon.table("verb_endings"))) or is_past_word(candidate.words[at])
    return verb and word not in write.index.postings and word not in stems("plain_predicates") | stems("states")


def _around(write: Write, passage: Passage) -> list[Passage]:
    reply = write.reply_to(passage) if passage.is_question else None
    near = (write.before(passage), passage, write.after(passage), reply)
    return [each for each in near if each is not None]


def _denied_there(write: Write, pairing: Pairing, link: Link) -> tuple[CueMatch | None, Sequence[int]] | None:
    """A word denied in the source that the memory asserts."""
    source = Clause.whole(link.source)
    if write.about is not None and not write.is_own_voice(link.source):
        return None  # what another speaker denies, they deny of themselves or advise against
    theirs = owner(Clause.whole(pairing.candidate), user=write.user, about=write.about).kind
    for match in negations(source):
        if (
            _is_praise(link.source, match)
            or _undone(link.source, match)
            or is_undone(write, link.source)
            or asks_why(link.source, match)
            or _denies_little(link.source, match, pairing.candidate)
            or _is_of_somebody(write, link.source, match, theirs)
        ):
            continue
        held = carried(write, pairing, link, match.scope_first, _focus_end(link.source, match), cue_words(match))
        if not _holds_what_is_denied(write, link.source, match, held, pairing.candidate):
            continue
        if not held.own or held.share < SHARE or not any(denied(source, place) is not None for place in held.source):
            continue
        if not _asserted_later(write, link.source, stem(link.source.words[held.source[0]])):
            return match, held.candidate
    return None


def _holds_what_is_denied(write: Write, source: Passage, match: CueMatch, held: Carried, candidate: Passage) -> bool:
    """Whether a memory has the very thing that a negation stands before, and not only something beside it.

    "No way I'm selling the boat" and "is to keep the boat": the boat is not what is denied. "I'm not from Leeds, I
    studied there" and "studied in Leeds": the memory tells what the next clause asserts.
    """
    first = next((at for at, _ in source.content if match.last <= at < match.scope_last), None)
    light = first is None or stem(source.words[first]) in stems("states")
    if not light and first not in held.source and match.text.lower() not in words("negative_pronouns"):
        return False
    if held.source and all(is_unit(source.words[place]) for place in held.source):
        return False  # "ran 5 k, not miles": which unit it is, the unit check reads
    if source.words[match.last : match.last + 1] and source.words[match.last] in words("raising_verbs"):
        told = [at for at, _ in source.content if match.last < at < source.clause_at(match.last)[1]]
        if len(told) > 1 and told[-1] not in held.source:
            return False  # "I don't think the plumber was cheap": not the plumber is denied
    end = clause_part(source, match.last, source.clause_at(match.last - 1)[1])
    before = source.words[match.first - 1] if match.first else ""
    bare = not (before in lexicon.table("subject_ends") or before.partition("'")[1])
    if match.text.lower() in words("corrective_nots") and bare:
        return True  # "shrimp, just not oysters": the verb is that of the next clause
    return not tells_beside(write, source, candidate, match.first, end, held.source)


def _denies_little(source: Passage, match: CueMatch, candidate: Passage) -> bool:
    """Whether a negation leaves what it stands before standing, in part or in other words: "never misses a rehearsal",
    "not everyone speaks Dutch", "never been closer"; a memory that has that very word is read on."""
    after = source.words[match.last : match.last + _TURN]
    answers = source.words[match.first] in words("answer_noes")
    if answers and "," in (source.words[match.last - 1], *after[:1]):
        return True  # "no thanks, aisle"
    for at, word in enumerate(after):
        if word in words("comparatives") or (word.endswith("er") and at and after[at - 1] in words("being_words")):
            return True
        turned = word in words("partial_words") or stem(word) in stems("negative_verbs")
        if turned and stem(word) not in candidate.stems and word not in candidate.words:
            return True
        if not is_function(word):
            break
    return False


def _is_praise(source: Passage, match: CueMatch) -> bool:
    """Whether a negation stands in a set phrase that says the opposite ("can't get enough", "nothing beats")."""
    return any(each.first <= match.first < each.last for each in source.family("praise"))


def _is_reversed(word: str) -> bool:
    """Whether a word carries a negation of its own ("uncommon"), so that "not" before it takes it away."""
    return any(word.startswith(prefix) for prefix in words("undoing_prefixes")) and not is_function(word)


def _asserted_later(write: Write, source: Passage, denied_word: str) -> bool:
    """Whether a later sentence of the source asserts what is denied first ("it won't redeem", "it was redeemed")."""
    for passage in write.sharing({denied_word}):
        if passage.number > source.number and not passage.is_question and not is_negative(passage):
            return True
    return False


def _given_up_there(write: Write, pairing: Pairing, link: Link) -> Iterator[Change]:
    """Something stopped or decided against in the source that the memory asserts."""
    for first, last in given_up(link.source):
        if any(
            match.last <= first and match.cue.effect in words("condition_in_source")
            for match in Clause(link.source, *link.source.clause_at(first)).cues("condition")
        ):
            continue  # "so long as I stop gambling"
        end = clause_part(link.source, last, link.source.clause_at(first)[1])
        held = carried(write, pairing, link, last, end)
        if (
            not held.own
            or held.share < SHARE
            or tells_beside(write, link.source, pairing.candidate, first, end, held.source)
            or any(word in words("negative_words_in_memory") for word in pairing.candidate.words)
        ):
            continue
        said = link.source.tokens.quote(first, last)
        yield change(
            "polarity",
            "reversed polarity",
            Severity.REJECT,
            f"The source gave it up (“{said}”); the memory asserts it.",
            source=link.source,
            candidate=pairing.candidate,
            tokens=held.candidate,
            rule="polarity.given-up",
            cite="Karttunen 1971, Implicative verbs",
        )
        return


def _focus_end(source: Passage, match: CueMatch) -> int:
    """The end of what a negation is about: the first few content words of its scope."""
    end = match.scope_last
    first = next((place for place, _ in source.content if place >= match.last), match.scope_last)
    for place in range(first + 1, end):
        if source.words[place] in words("focus_ends"):
            end = place
            break
    inside = [place for place, _ in source.content if match.last <= place < end]
    return inside[_FOCUS - 1] + 1 if len(inside) >= _FOCUS else end


def _undone(source: Passage, match: CueMatch) -> bool:
    """Whether a negation denies nothing for good: another negative word follows at once ("isn't against"), or it
    stands in a condition ("if it isn't")."""
    following = source.words[match.last : match.last + 2]
    said = match.text.lower()
    if (
        said in words("answer_noes")
        and following
        and (said not in words("determiners_no") or is_function(following[0]))
    ):
        return True  # "no, it's on the timer", "nope railing's extra": an answer, not a determiner
    if any(word in words("infinitive_marks") for word in following[1:]):
        following = following[:1]  # "don't need to" denies the need
    if any(word in words("negative_heads") or word in words("giving_up") or _is_reversed(word) for word in following):
        return True
    if match.first and stem(source.words[match.first - 1]) == "not":
        return True  # "don't forget to", "never fails to"
    if match.cue.id in words("lack_cues") and len(negations(Clause.whole(source))) > 1:
        return True  # "without my glasses I can't read"
    first, last = source.clause_at(match.first)
    inverted = match.first == first or source.words[match.first - 1] in words("and_words")
    if inverted and said in words("inverted_denials") and following[:1] and following[0] in words("inverted_subjects"):
        return True  # "but isn't the MOT due in May"
    if any(word in words("negative_joints") for word in source.words[last : last + 1]):
        return True  # "no deposit back unless it's spotless"
    if any(word in words("denies_until") for word in source.words[match.last : last]):
        return True  # "a bond I haven't felt since": it was felt before
    return any(word in words("condition_openers") for word in source.words[first : match.first])


def _taken_back(write: Write, pairing: Pairing, link: Link) -> tuple[CueMatch | None, Sequence[int]] | None:
    """A sentence that the next one calls untrue, or a question that is answered with no."""
    source = link.source
    held = carried(write, pairing, link, 0, len(source.words))
    if not held.own or held.share < SHARE:
        return None
    reply = write.reply_to(source) if source.is_question or write.spoken_by_assistant(source) else None
    own = reply is not None and any(word in words("nominatives") for word in reply.words)
    turned = reply is not None and any(word in words("contrast_words") for word in reply.words)
    from_reply = reply is not None and any(
        word in pairing.candidate.stems and word not in source.stems
        for each in (reply, write.after(reply))
        if each is not None
        for word in each.stems
    )
    if reply is not None and held.share >= WHOLE:
        refused_by = refusal(reply)
        if refused_by is not None and not from_reply:
            return refused_by, held.candidate
    after = write.after(source) or write.reply_to(source)
    if after is None:
        return None
    found = [match for match in negations(Clause.whole(after)) if match.first <= _OPENING]
    for match in found:
        if any(word in words("truth_words") for word in after.words[match.first : match.last + 3]):
            return match, held.candidate
    refused = (
        source.is_question
        and held.share >= WHOLE
        and after.words[0] in words("answer_noes")
        and not (from_reply and (own or not turned))
    )
    return (found[0] if found else None, held.candidate) if refused else None


def _denied_here(write: Write, pairing: Pairing) -> Iterator[Change]:
    """A word asserted in the source that the memory denies, where the source has no negation at all."""
    if not pairing.links:
        return
    link = pairing.links[0]
    now = tells_of_now(link.source)
    for match in negations(Clause.whole(pairing.candidate)):
        said = match.text.lower()
        if said in words("contrasts_in_memory") or (now and said in words("past_denials")):
            continue  # "rather than Dorcas"; "wasn't ill on the last trip" of "I get sick"
        inside = [
            (place, word)
            for place, word in pairing.candidate.content
            if match.scope_first <= place < match.scope_last and place not in cue_words(match)
        ]
        held = [(place, word) for place, word in inside if word in link.source.stems]
        if not held or held[0] != inside[0]:
            continue  # what is denied first must be what the source asserts
        total = sum(write.index.weight(word) for _, word in inside)
        if not total or sum(write.index.weight(word) for _, word in held) < WHOLE * total:
            continue
        detail = f"The source asserts it; the memory denies it (“{match.text}”)."
        yield _reversed(link.source, pairing.candidate, [place for place, _ in held], match, detail)
        return


def _reversed(
    source: Passage, candidate: Passage, tokens: Sequence[int], match: CueMatch | None, detail: str
) -> Change:
    return change(
        "polarity",
        "reversed polarity",
        Severity.REJECT,
        detail,
        source=source,
        candidate=candidate,
        tokens=tokens,
        cue=match,
        rule="polarity.answered-no",
        cite="Huddleston & Pullum 2002, ch. 10 (answers to closed questions)",
    )
