/** One record of a set, opened: each sentence with its label and what became of it, or a memory with what the gate said. */
import type { EvidenceInput } from "edgegate";

import { count, element, type Mark, marked } from "./dom.ts";
import { KINDS } from "./evidence.ts";
import type { Entry } from "./lists-set.ts";
import type { ScoredRecord, ScoredSentence } from "./lists-read.ts";
import { LongText } from "./long.ts";
import { claimCard } from "./why.ts";

/** The kinds of errors, in words; the core names them. */
export const ERRORS: Record<string, string> = {
  catch: "Missed",
  preservation: "Wrongly taken out",
  collateral: "Plain text lost",
  safety_caught: "Safety: missed",
  safety_kept: "Safety: wrongly taken out",
  failed: "The guard failed",
  missed: "Missed",
  false_alarm: "False alarm",
  uncheckable: "Could not be checked",
  wrong_check: "Caught for another reason",
  advisory: "Remark missing",
};

const LABELS: Record<string, string> = {
  none: "claims nothing",
  world: "about the world",
  supported: "true",
  fabricated: "invented",
  mixed: "partly true",
};

const MOST_TEXT = 20_000; // characters of one sentence or turn that are drawn

/** All that is known of a record, as nodes. */
export function recordView(entry: Entry, found: ScoredRecord): Node[] {
  const tags = element("p", "tags", element("span", "tag", `line ${entry.line}`), element("span", "tag", entry.group));
  for (const error of found.errors) {
    const tag = element("span", "tag wrong", ERRORS[error] ?? error);
    tags.append(tag);
  }
  if (found.errors.length === 0) tags.append(element("span", "tag right", "Right"));
  return [tags, ...(found.job === "guard" ? replyView(entry, found) : writeView(entry, found))];
}

const clipped = (text: string): string => (text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)} … (${text.length} characters)` : text);

function replyView({ record }: Entry, found: ScoredRecord & { job: "guard" }): Node[] {
  const sentences = element("ol", "outcomes");
  for (const sentence of found.sentences) sentences.append(sentenceRow(sentence));
  const shown = element("div", "said shown-text");
  new LongText(shown).append(found.shown);
  const nodes: Node[] = [
    element("h3", "", "What the model wrote, sentence by sentence"),
    found.failed === null ? sentences : element("p", "error", `The guard failed and showed nothing more: ${found.failed}`),
    element("h3", "", "What the reader sees"),
    found.shown === "" ? element("p", "empty", "Nothing was left.") : shown,
  ];
  if (found.dropped.length > 0) {
    const cards = found.dropped.slice(0, 100).map((event) => claimCard(event));
    nodes.push(element("h3", "", `Taken out: ${count(found.dropped.length, "sentence")}`), element("ol", "dropped", ...cards));
  }
  nodes.push(evidenceFold(record["evidence"] as EvidenceInput));
  return nodes;
}

function sentenceRow({ text, label, safety, second, kept, scored, errors, reason }: ScoredSentence): HTMLElement {
  const right = errors.length === 0;
  const words = [LABELS[label] ?? label];
  if (safety === "ok") words.push("allowed by safety");
  else if (safety) words.push(`safety: ${safety}`);
  if (second && second !== label) words.push(`another reader says: ${LABELS[second] ?? second}`);
  const fate = kept ? "shown" : "taken out";
  const verdict = scored ? (right ? "right" : errors.map((error) => ERRORS[error] ?? error).join(", ").toLowerCase()) : "not scored";
  const sign = element("span", "mark", scored ? (right ? "✓" : "✗") : "·");
  sign.setAttribute("aria-hidden", "true");
  const row = element(
    "li",
    "",
    sign,
    element("span", "sentence", clipped(text)),
    element("span", "hint", `${words.join("; ")}. ${fate[0]!.toUpperCase()}${fate.slice(1)}: ${verdict}.${reason ? ` Reason: ${reason}.` : ""}`),
  );
  row.dataset["right"] = String(right);
  row.dataset["kept"] = String(kept);
  return row;
}

/** A turn of a record: the core has read it, so it has a speaker (or a role) and a text (or a content). */
function turnOf(turn: object): { speaker: string; text: string } {
  const { speaker, role, text, content } = turn as Record<string, unknown>;
  return { speaker: String(speaker ?? role ?? ""), text: String(text ?? content ?? "") };
}

function evidenceFold(evidence: EvidenceInput): HTMLElement {
  const body = element("div", "held-lists");
  let items = 0;
  for (const [kind, name] of Object.entries(KINDS)) {
    const list = (evidence[kind as keyof EvidenceInput] ?? []) as readonly (string | object)[];
    if (list.length === 0) continue;
    items += list.length;
    const rows = list.slice(0, 200).map((item) => {
      if (typeof item === "string") return element("li", "", clipped(item));
      const { speaker, text } = turnOf(item);
      return element("li", "", element("span", "who", speaker), clipped(text));
    });
    body.append(element("h3", "", name), element("ul", "", ...rows));
  }
  return element("details", "fold", element("summary", "", `Held this turn: ${count(items, "item")}`), body);
}

function writeView({ record }: Entry, { report }: ScoredRecord & { job: "gate" }): Node[] {
  const source = (record["source"] as object[]).slice(0, 400).map(turnOf);
  const marks: Mark[][] = source.map(() => []);
  const memoryMarks: Mark[] = [];
  report.changes.forEach(({ source_quote: said, candidate_quote: kept, severity }, index) => {
    const mark = { number: index + 1, kind: severity };
    if (said) marks[said.turn ?? 0]?.push({ ...mark, start: said.utf16_start, end: said.utf16_end });
    if (kept) memoryMarks.push({ ...mark, start: kept.utf16_start, end: kept.utf16_end });
  });
  const mechanisms = Array.isArray(record["mechanisms"]) ? record["mechanisms"].join(", ") : "";
  const changes = element("ol", "gate-changes");
  for (const { check, type, severity, detail, cue, cite } of report.changes) {
    changes.append(
      element("li", "", element("span", "tag", severity), ` ${check}: ${type}. ${detail} `, element("code", "", cue), cite ? ` (${cite})` : null),
    );
  }
  return [
    element(
      "p",
      "",
      `Labelled ${String(record["label"])}${mechanisms ? ` (${mechanisms})` : ""}. The gate says `,
      element("strong", "", report.verdict ?? ""),
      report.uncheckable ? `: ${report.uncheckable}.` : ".",
    ),
    element("h3", "", "Memory"),
    element("div", "quoted", element("p", "", ...marked(clipped(String(record["memory"])), memoryMarks))),
    element("h3", "", "Conversation"),
    ...source.map(({ speaker, text }, turn) =>
      element("div", "quoted", element("span", "who", speaker), element("p", "", ...marked(clipped(text), marks[turn]!))),
    ),
    report.changes.length > 0 ? element("h3", "", "What changed") : element("p", "empty", "The gate found no change."),
    changes,
    typeof record["why"] === "string" ? element("p", "hint", `The label says why: ${clipped(record["why"])}`) : element("p"),
  ];
}
