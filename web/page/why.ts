/** Why a sentence stayed or went: a card that opens, with the rule, its citation, and the words on both texts. */
import type { ClaimKept, EvidenceInput, TextDropped } from "edgegate";

import { element, type Mark, marked } from "./dom.ts";
import { KINDS } from "./evidence.ts";

const CLAIMS: Record<string, string> = {
  history: "Claims a shared past",
  memory: "Claims what memory did",
  consciousness: "Claims human feelings",
  pressure: "Puts pressure on the user",
  orphan: "Made sense only with a sentence that was taken out",
};

/** A list of facts under a finding: names and values. */
export class Facts {
  readonly node = element("dl", "facts");

  add(name: string, ...value: (Node | string)[]): void {
    this.node.append(element("dt", "", name), element("dd", "", ...value));
  }
}

/** Where `words` stand in `text`, as a mark; the first place, since an event names words and no place. */
export function cueMark(text: string, words: string): Mark[] {
  const start = words ? text.indexOf(words) : -1;
  return start < 0 ? [] : [{ start, end: start + words.length, kind: "cue" }];
}

/** The card of a claim that went, or of one that stayed. */
export function claimCard(event: TextDropped | ClaimKept): HTMLElement {
  const kept = event.kind === "claim_kept";
  const nearest = event.nearest_evidence;
  const words: Mark[] = (nearest?.shared ?? []).map(({ claim }) => ({
    start: claim.utf16_start,
    end: claim.utf16_end,
    kind: "shared",
  }));
  const summary = element(
    "summary",
    "",
    element("span", "claim", kept ? "Kept" : (CLAIMS[event.family] ?? event.family)),
    element("q", "", ...marked(event.sentence, [...cueMark(event.sentence, event.cue_text), ...words])),
    element("span", "reason", event.reason),
  );
  const facts = new Facts();
  if (event.cue_text) facts.add("Words", `“${event.cue_text}”`);
  facts.add("Rule", element("code", "", event.cue));
  if (event.cite) facts.add("Source", event.cite);
  if (nearest) {
    const marks = nearest.shared.map(({ evidence }) => ({
      start: evidence.utf16_start,
      end: evidence.utf16_end,
      kind: "shared",
    }));
    const kind = KINDS[nearest.kind as keyof EvidenceInput] ?? nearest.kind;
    facts.add(kept ? "Held" : "Nearest", element("q", "", ...marked(nearest.text, marks)), " ", element("span", "tag", kind));
  } else if (event.family === "history" || event.family === "memory") {
    facts.add(kept ? "Held" : "Nearest", "nothing close is held");
  }
  const card = element("li", kept ? "drop kept" : "drop", element("details", "", summary, facts.node));
  card.dataset["family"] = event.family;
  return card;
}
