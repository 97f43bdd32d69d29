/** What is held in a turn, drawn. */
import type { EvidenceInput, TurnInput } from "edgegate";

import { element } from "./dom.ts";

/** The kinds of evidence, in words. */
export const KINDS: Record<keyof EvidenceInput, string> = {
  memories: "Memories",
  journal: "Journal",
  history: "This conversation",
  threads: "Open threads",
  facts: "Known facts",
  writes: "What memory did",
  actions: "What tools did",
};

/** The lists of `evidence`, those that hold something. */
export function evidenceLists(evidence: EvidenceInput): HTMLElement[] {
  const lists: HTMLElement[] = [];
  for (const kind of Object.keys(KINDS) as (keyof EvidenceInput)[]) {
    const items = evidence[kind] ?? [];
    if (items.length === 0) continue;
    const list = element("ul", "held");
    for (const item of items) list.append(element("li", "", typeof item === "string" ? item : said(item)));
    lists.push(element("h3", "", KINDS[kind]), list);
  }
  return lists;
}

function said(turn: TurnInput): string {
  return "speaker" in turn ? `${turn.speaker}: ${turn.text}` : `${turn.role}: ${turn.content}`;
}
