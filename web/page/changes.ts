/** What the memory gate found, drawn: each change as a card that opens, and both texts with their marks. */
import type { Change, Report, Severity, Turn, Verdict } from "edgegate";

import { element, type Mark, marked } from "./dom.ts";
import { cueMark, Facts } from "./why.ts";

export const VERDICTS: Record<Verdict, [title: string, meaning: string]> = {
  PASS: ["Pass", "The memory says what the conversation says. It may be stored."],
  PASS_WITH_FLAGS: ["Pass, with remarks", "It may be stored together with the remarks below."],
  REWRITE: ["Rewrite", "Something was lost on the way. It must be put back before this is stored."],
  REJECT: ["Reject", "The memory says something else than the conversation. It must not be stored."],
  UNCHECKABLE: ["Could not be checked", "That is not a pass: store it only if you say so, marked as unverified."],
};

const SEVERITIES: Record<Severity, string> = { advisory: "Remark", rewrite: "Rewrite", reject: "Reject" };

/** What each check is about, as a person would say it. */
const CHECKS: Record<string, string> = {
  polarity: "Yes or no",
  owner: "Whose it is",
  brittle: "What it was worked out from",
  truncated: "The count",
  unit: "The unit",
  hedge: "How sure it was",
  attribution: "Who said it",
  condition: "On what condition",
  temporal: "When it holds",
  habit: "How often",
  added: "What nobody said",
};

/** The name of a verdict, in a colour of its own. */
export function verdictTag(verdict: Verdict | null): HTMLElement {
  const made = element("span", "tag verdict-tag", verdict === null ? "Not judged" : VERDICTS[verdict][0]);
  made.dataset["verdict"] = verdict ?? "";
  return made;
}

/** One change as a card: what it is, in plain words; opened, both quotes, the words that showed it, and the rule. */
export function changeCard(change: Change): HTMLElement {
  const { severity, check, type, detail, source_quote, candidate_quote, cue, cue_text, cite } = change;
  const facts = new Facts();
  if (source_quote) facts.add("Said", element("q", "", ...marked(source_quote.text, cueMark(source_quote.text, cue_text))));
  if (candidate_quote) facts.add("Memory", element("q", "", ...marked(candidate_quote.text, cueMark(candidate_quote.text, cue_text))));
  if (cue_text) facts.add("Words", `“${cue_text}”`);
  facts.add("Check", `${check}: ${type}`);
  if (cue) facts.add("Rule", element("code", "", cue));
  if (cite) facts.add("Source", cite);
  const card = element(
    "li",
    "change",
    element(
      "details",
      "",
      element(
        "summary",
        "",
        element("span", "kind", element("span", "tag", SEVERITIES[severity]), ` ${CHECKS[check] ?? `${check}: ${type}`}`),
        element("span", "detail", detail),
      ),
      facts.node,
    ),
  );
  card.dataset["severity"] = severity;
  card.dataset["check"] = check;
  return card;
}

/** The marks of the changes on the turns of the source, and on the memory: quotes with their numbers, and the cue's words. */
export function marksOf(changes: readonly Change[], turns: number): { source: Mark[][]; memory: Mark[] } {
  const source: Mark[][] = Array.from({ length: turns }, () => []);
  const memory: Mark[] = [];
  changes.forEach(({ source_quote, candidate_quote, severity, cue_text }, index) => {
    const number = index + 1;
    for (const [quote, marks] of [
      [source_quote, source[source_quote?.turn ?? 0]],
      [candidate_quote, memory],
    ] as const) {
      if (!quote || !marks) continue;
      marks.push({ number, kind: severity, start: quote.utf16_start, end: quote.utf16_end });
      // The words that showed it come first: where marks overlap, the first one is drawn.
      for (const { start, end } of cueMark(quote.text, cue_text)) {
        marks.unshift({ kind: "words", start: quote.utf16_start + start, end: quote.utf16_start + end });
      }
    }
  });
  return { source, memory };
}

/** The conversation and the memory side by side, marked. */
export function sideBySide({ changes }: Report, source: readonly Turn[], memory: string): [source: Node[], memory: Node[]] {
  const marks = marksOf(changes, source.length);
  return [
    source.map(({ speaker, text }, turn) =>
      element("div", "quoted", element("span", "who", speaker), element("p", "", ...marked(text, marks.source[turn]!))),
    ),
    [element("div", "quoted", element("p", "", ...marked(memory, marks.memory)))],
  ];
}

/** `text` with the words marked that `before` does not have, in order: what was put back. */
export function putBack(before: string, text: string): Node[] {
  const pieces = text.split(/(\s+)/);
  const old = before.split(/\s+/);
  // The longest common run of words, by the usual table; memories are short.
  const common: number[][] = Array.from({ length: old.length + 1 }, () => new Array<number>(pieces.length + 1).fill(0));
  for (let one = old.length - 1; one >= 0; one--) {
    for (let other = pieces.length - 1; other >= 0; other--) {
      const same = old[one] === pieces[other] ? common[one + 1]![other + 1]! + 1 : 0;
      common[one]![other] = Math.max(same, common[one + 1]![other]!, common[one]![other + 1]!);
    }
  }
  const nodes: Node[] = [];
  let one = 0;
  for (let other = 0; other < pieces.length; other++) {
    const piece = pieces[other]!;
    while (one < old.length && old[one] !== piece && common[one + 1]![other]! >= common[one]![other]!) one++;
    const kept = one < old.length && old[one] === piece && common[one + 1]![other + 1]! + 1 >= common[one]![other]!;
    if (kept) one++;
    if (kept || piece.trim() === "") nodes.push(document.createTextNode(piece));
    else nodes.push(element("ins", "", piece));
  }
  return nodes;
}
