/** The kill switch, as a switch that any panel may show; all of them are one. */
import { button, element } from "./dom.ts";
import type { PanelContext } from "./panels.ts";

/** A switch for the guard of the whole page. */
export function guardSwitch(id: string, { guarding }: Pick<PanelContext, "guarding">): HTMLButtonElement {
  const made = button("", "switch");
  made.id = id;
  made.setAttribute("role", "switch");
  made.setAttribute("aria-label", "Guard");
  const track = element("span", "track");
  track.setAttribute("aria-hidden", "true");
  const state = element("span", "switch-state");
  made.append(track, state);
  guarding.follow((on) => {
    made.setAttribute("aria-checked", String(on));
    state.textContent = on ? "Guard on" : "Guard off";
  });
  made.addEventListener("click", () => guarding.set(!guarding.now));
  return made;
}
