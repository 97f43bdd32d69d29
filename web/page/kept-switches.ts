/** The two switches of memory: memory itself, for the whole page, and whether a chat may save. */
import { button, element } from "./dom.ts";
import { Value } from "./feed.ts";
import type { Keeper } from "./kept-keeper.ts";

/** Switches with their ids beginning with `id`. `saves` says whether the chat may save. */
export function memorySwitches(id: string, keeper: Keeper): { node: HTMLElement; saves: Value<boolean> } {
  const saves = new Value(true);
  const memory = oneSwitch(`${id}-on`, "Memory", keeper.on, ["Memory on", "Memory off"]);
  const chat = oneSwitch(`${id}-saves`, "This chat may save", saves, ["This chat may save", "This chat may not save"]);
  keeper.on.follow((on) => {
    chat.disabled = !on;
  });
  return { node: element("div", "kept-switches", memory, chat), saves };
}

function oneSwitch(id: string, label: string, value: Value<boolean>, [on, off]: [string, string]): HTMLButtonElement {
  const track = element("span", "track");
  track.setAttribute("aria-hidden", "true");
  const state = element("span", "switch-state");
  const made = button("", "switch");
  made.id = id;
  made.setAttribute("role", "switch");
  made.setAttribute("aria-label", label);
  made.append(track, state);
  value.follow((now) => {
    made.setAttribute("aria-checked", String(now));
    state.textContent = now ? on : off;
  });
  made.addEventListener("click", () => value.set(!value.now));
  return made;
}
