/** What the guard did with a recorded reply, held against the labels of its sentences. */
import { count, element } from "./dom.ts";
import type { Label, Recording } from "./recordings.ts";

const LABELS: Record<Label, string> = {
  plain: "claims nothing",
  supported: "true",
  fabricated: "invented",
  safety: "must not be said",
};

/** One sentence: what it is, and what became of it. */
export interface Outcome {
  text: string;
  label: Label;
  dropped: boolean;
  right: boolean;
}

/** What became of each labelled sentence, given the sentences that were dropped. */
export function outcomesOf(recording: Pick<Recording, "sentences">, dropped: readonly string[]): Outcome[] {
  const left = dropped.map((sentence) => sentence.trim());
  return recording.sentences.map(({ text, label }) => {
    const at = left.indexOf(text.trim());
    if (at >= 0) left.splice(at, 1);
    const untrue = label === "fabricated" || label === "safety";
    return { text: text.trim(), label, dropped: at >= 0, right: untrue === at >= 0 };
  });
}

/** How many of the sentences the guard got right, in words. */
export function scoreOf(outcomes: readonly Outcome[]): string {
  const missed = outcomes.filter(({ right, dropped }) => !right && !dropped).length;
  const lost = outcomes.filter(({ right, dropped }) => !right && dropped).length;
  const wrong = [missed > 0 && `${missed} missed`, lost > 0 && `${lost} wrongly taken out`].filter(Boolean).join(", ");
  return `${outcomes.length - missed - lost} of ${count(outcomes.length, "sentence")} right${wrong ? `; ${wrong}` : ""}`;
}

/** A fold with each sentence, its label, and whether the guard was right. */
export function labelsFold(outcomes: readonly Outcome[]): HTMLElement {
  const list = element("ol", "outcomes");
  for (const { text, label, dropped, right } of outcomes) {
    const verdict = right ? "right" : dropped ? "wrong: it was true" : "missed";
    const sign = element("span", "mark", right ? "✓" : "✗");
    sign.setAttribute("aria-hidden", "true");
    const row = element(
      "li",
      "",
      sign,
      element("span", "sentence", text),
      element("span", "hint", `${LABELS[label]}, ${dropped ? "taken out" : "shown"}: ${verdict}`),
    );
    row.dataset["right"] = String(right);
    list.append(row);
  }
  const missed = outcomes.some(({ right, dropped }) => !right && !dropped);
  const legend = missed ? element("p", "hint", "In the reply, what was invented and not caught is underlined in waves.") : null;
  const fold = element("details", "fold labels", element("summary", "", `Against the labels: ${scoreOf(outcomes)}`), legend, list);
  fold.open = outcomes.some(({ right }) => !right);
  return fold;
}
