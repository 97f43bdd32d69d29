"""What a request to forget names: its terms and values, whose it is, a clause or a thing, one or a group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from edgegate.language import lexicon
from edgegate.language.text import tokenise
from edgegate.language.values import values
from edgegate.memory.ask import Ask
from edgegate.memory.stored import LONGEST, Term, Wanted, fields, root, words_of
from edgegate.memory.words import Word

_LEAD = 5  # words within which the subject of a clause stands ("the fact that I …")


def wanted_in(text: str, *, group: bool = False, change: bool = False) -> Wanted:
    """What a phrase names: "my locker number", "that I play the oboe". `change`: it tells what is no longer so.

    >>> [term.word for term in wanted_in("that I play the oboe").terms]
    ['play', 'oboe']
    """
    tokens = tokenise(text)
    words = tokens.words
    found = values(tokens)
    taken = {at for date in found.dates for at in range(date.first, date.last)}
    taken |= {at for clock in found.clocks for at in range(clock.first, clock.last)}
    plain = set(lexicon.table("function_words")) - {"like"}
    noise, kept_noise = words_of("noise"), words_of("noise_unless_held")
    light = {root(word) for word in words_of("light")}
    names = {at for name in found.names for at in range(name.first, name.last)}
    terms: list[Term] = []
    for at, word in enumerate(words):
        bare = word.removesuffix("'s")
        if at in taken or not word[0].isalnum() or (word in plain and not _is_light(word)):
            continue
        if change and (bare in words_of("change") or root(bare) == "not"):
            continue
        if at and bare in words_of("light_forms") and words[at - 1] in lexicon.table("extract")["words"]["you"]:
            continue
        if root(bare) == "not" or bare in words_of("which_words"):
            continue
        opens = any(bare in each.asked for each in fields())
        if bare in noise and not opens and not _is_light(word):
            if bare in kept_noise:
                terms.append(Term(bare, root(bare), False, False, True))
            continue
        if any(term.word == bare for term in terms):
            continue
        terms.append(Term(bare, root(bare), at in names, root(bare) in light or _is_light(word)))
    if not [term for term in terms if not term.optional]:
        terms = [Term(term.word, term.stem) for term in terms]
    heavy = [term for term in terms if not term.light]
    subjects = set(lexicon.table("extract")["words"]["user_subjects"]) | set(lexicon.table("person")["first"][:6])
    lead = [word for word in words[:5] if word not in words_of("before_subject")]
    user = bool(lead) and lead[0] in subjects and (words[0] in subjects or words[0] in words_of("before_subject"))
    asks_which = bool(words) and words[0] in words_of("which_words")
    user = user or (asks_which and len(words) > 1 and words[1] in subjects)
    clause = (user and not asks_which) or (bool(words) and words[0] == "that" and len(words) > 2)
    owned = any(word in lexicon.table("extract")["words"]["user_possessives"] for word in words)
    return Wanted(
        text=" ".join(text.split()),
        terms=tuple(terms if heavy or clause else [Term(term.word, term.stem, term.named) for term in terms]),
        values=found,
        mine=owned or (user and asks_which),
        subject="user" if user else "",
        verb=next((term for term in terms if not term.optional), None)
        if user and clause and not _is_being(words)
        else None,
        clause=clause,
        group=group,
        denies=not change and any(root(word) == "not" for word in words),
        stated=user and asks_which,
        being=clause and user and _is_being(words),
        particles=_particles(words),
        names=frozenset(words[at] for at in names),
    )


def _is_being(words: Sequence[str]) -> bool:
    """Whether a clause says what the user is: "I'm vegetarian", "that I am a nurse"."""
    if any(word in ("i'm", "im") for word in words[:_LEAD]):
        return True
    subjects = lexicon.table("extract")["words"]["user_subjects"]
    at = next((place for place, word in enumerate(words[:_LEAD]) if word in subjects), None)
    return at is not None and at + 1 < len(words) and words[at + 1] in words_of("being")


def _particles(words: Sequence[str]) -> tuple[str, ...]:
    """Particles right behind a word with content: they make another verb of it."""
    plain = lexicon.table("function_words")
    return tuple(
        word for at, word in enumerate(words) if at and word in words_of("particles") and words[at - 1] not in plain
    )


def _is_light(word: str) -> bool:
    return word in words_of("light_forms")


def wanted_of(ask: Ask, said: str | None) -> Wanted | None:
    """What a request names, from behind its cue, before it, the sentence before, or what the assistant said."""
    if ask.cue is None:
        return None
    line = ask.lines[ask.cue.line]
    cue_words = [word for word in line.words if ask.cue.first <= word.place < ask.cue.last]
    after = [word for word in line.words if word.place >= ask.cue.last]
    lead = _kept_of_cue(cue_words)
    target = _until_reason([*lead, *after])
    before = [word for word in line.words if word.place < ask.cue.first]
    spoken = [word.word for word in [*cue_words, *after]]
    later = [word.word for other in ask.lines[ask.cue.line + 1 :] for word in other.words]
    partly = _has_phrase([*(word.word for word in after), *later], "partly")
    if not partly and _means_all(spoken) and not _names_something(target):
        return Wanted(_join(after), (), values(tokenise("")), everything=True)
    if not _names_something(target):
        pointed = {word.word for word in [*cue_words, *target]} & words_of("persons_pointed")
        earlier = [word for other in ask.lines[: ask.cue.line] for word in other.words]
        for words in (before, earlier):
            if _names_something(words):
                return _from_before(words, bool(pointed))
        rest = after[len(target) - len(lead) :] if len(target) >= len(lead) else []
        if said:
            return wanted_in(said[:LONGEST].rstrip(".!"), change=False)
        return wanted_in(_join(rest)) if _names_something(rest) else None
    text = _join(target)
    everything = " ".join(word.word for word in [*cue_words, *target])
    padded = f" {everything} "
    group = bool({word.word for word in [*cue_words, *target]} & words_of("group_words"))
    group = group or any(f" {phrase} " in padded for phrase in words_of("group_phrases"))
    topic = group and any(f" {word} " in padded for word in words_of("about_words"))
    group = group or _is_plural(target)
    wanted = wanted_in(text, group=group)
    if wanted.clause and not topic:
        wanted = replace(wanted, group=False)
    wanted = replace(wanted, partly=partly)
    if topic:
        wanted = replace(wanted, topic=not wanted.clause, clause=wanted.clause and not group)
    return wanted


def _means_all(words: Sequence[str]) -> bool:
    """ "Everything you know about me": all of it."""
    return _has_phrase(words, "total") and bool(set(words) & words_of("totals"))


def _has_phrase(words: Sequence[str], name: str) -> bool:
    text = f" {' '.join(words)} "
    return any(f" {phrase} " in text for phrase in words_of(name))


def _join(words: Sequence[Word]) -> str:
    return " ".join("".join(word.space + word.text for word in words).split())


def _kept_of_cue(cue_words: Sequence[Word]) -> list[Word]:
    """The words of the cue that already name something ("forget *my*", "cancel the vet *reminder*")."""
    plain = words_of("cue_words")
    return [word for word in cue_words if word.word not in plain]


def _names_something(words: Sequence[Word]) -> bool:
    empty = set(lexicon.table("function_words")) | words_of("pointers") | words_of("noise") | words_of("empty")
    owned = {word.word for word in words} & words_of("owners")
    if owned and any(word.word in words_of("noise_unless_held") for word in words):
        return True
    return any(word.word[0].isalnum() and word.word not in empty for word in words) or any(
        any(word.word in each.asked for each in fields()) for word in words
    )


def _until_reason(words: Sequence[Word]) -> list[Word]:
    """The words up to where the reason or the next statement begins."""
    found: list[Word] = []
    for at, word in enumerate(words):
        here = word.word
        if here in ",;:-(.!" and at and not (here == "-" and not word.space):
            break
        if at > 1 and here in words_of("reason_starts"):
            break
        if at > 2 and here in ("and", "so", "but") and _clause_follows(words, at + 1):
            break
        if at > 2 and here in words_of("clause_starts") and words[at - 1].word not in words_of("holds_clause"):
            break
        found.append(word)
    return found


def _clause_follows(words: Sequence[Word], at: int) -> bool:
    return at < len(words) and words[at].word in words_of("clause_starts")


def _from_before(words: Sequence[Word], person: bool) -> Wanted:
    """What the statement before the request names: "I quit the gym, take that out"."""
    parts: list[list[Word]] = [[]]
    for word in words:
        if word.word in ",;:.-!" and not (word.word == "-" and not word.space):
            parts.append([])
        else:
            parts[-1].append(word)
    part = next((each for each in reversed(parts) if _names_something(each)), parts[-1])
    wanted = wanted_in(_join(part), change=True)
    names = [term for term in wanted.terms if term.named]
    if person and names:
        wanted = replace(wanted, terms=tuple(names), group=True, topic=True)
    return replace(wanted, clause=False, verb=None, being=False, stated=True)


def _is_plural(words: Sequence[Word]) -> bool:
    """Whether the head of what is named is a plural ("my pets", "the names of my children")."""
    plain = lexicon.table("function_words")
    for at, word in enumerate(words):
        here = word.word
        if here in words_of("which_words") and at + 1 < len(words) and at < 2:
            return here in ("which", "what") and _plural(words[at + 1].word)
        if not here[0].isalpha() or here in plain:
            continue
        if here in words_of("noise"):
            return False
        following = words[at + 1].word if at + 1 < len(words) else ""
        if following and following[0].isalpha() and following not in plain:
            continue
        return _plural(here)
    return False


def _plural(word: str) -> bool:
    if word in words_of("plurals"):
        return True
    return (
        word.endswith("s") and not word.endswith(("ss", "'s")) and len(word) > 3 and word not in words_of("no_plurals")
    )
