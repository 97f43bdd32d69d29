/** What a message did to memory, in words: only what a person should be shown. What is kept in silence stays silent. */
import type { MemoryOutcome, StoredMemory } from "edgegate";

import { button, element } from "./dom.ts";

const DONE: Record<string, string> = { new: "Kept", update: "Updated" };

/** What to show, which is nothing where everything happened in silence. */
export function outcomeOf(outcome: MemoryOutcome): HTMLElement | null {
  const lines = outcome.visible.map(({ outcome: what, kind, text }) =>
    element("li", "", element("span", "tag", `${DONE[what] ?? what}: ${kind}`), ` ${text}`),
  );
  const asked = outcome.intent === "remember" || outcome.intent === "remind";
  for (const { outcome: what, text, question } of outcome.items) {
    if (what === "held" && asked) {
      const why = question === null ? "" : ` It would lose: ${question.lost.join(", ")}.`;
      lines.push(element("li", "", element("span", "tag", "Not kept"), ` ${text}${why}`));
    }
  }
  if (outcome.words === "" && lines.length === 0) return null;
  const made = element("div", "kept-outcome");
  if (outcome.words !== "") made.append(element("p", "", outcome.words));
  if (lines.length > 0) made.append(element("ul", "", ...lines));
  return made;
}

/** The memories that a request to forget may mean, each with a button; nothing where it asked nothing. */
export function candidatesOf(
  outcome: MemoryOutcome,
  kept: readonly StoredMemory[],
  forget: (memory: StoredMemory) => void,
): HTMLElement | null {
  if (outcome.turn.operation !== "forget" || outcome.turn.outcome !== "ask") return null;
  const meant = kept.filter(({ id }) => outcome.turn.ids.includes(id));
  if (meant.length === 0) return null;
  return element(
    "ul",
    "kept-candidates",
    ...meant.map((memory) => {
      const choose = button("Forget this one", "quiet small");
      choose.setAttribute("aria-label", `Forget this one: ${memory.text}`);
      choose.addEventListener("click", () => forget(memory));
      return element("li", "", element("span", "", memory.text), choose);
    }),
  );
}
