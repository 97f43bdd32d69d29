/** The panel Chat: a reply streams through the guard; beside it what was taken out and why, below it what was held. */
import type { Edgegate } from "edgegate";

import { button, element, field } from "./dom.ts";
import { evidenceLists } from "./evidence.ts";
import type { Panel, PanelContext } from "./panels.ts";
import { type Recording, streamOf } from "./recordings.ts";
import { ReplyView } from "./reply-view.ts";
import { guardSwitch } from "./switch.ts";

export const panel: Panel = { id: "chat", label: "Chat", mount };

function option(text: string, value: string): HTMLOptionElement {
  return new Option(text, value);
}

async function mount(root: HTMLElement, context: PanelContext): Promise<void> {
  const recording = element("select");
  const about = element("p", "about");
  about.id = "about";
  const pace = element("select", "", option("As recorded", "1"), option("Fast", "0.3"), option("Slow", "3"));
  const play = button("Play", "primary");
  play.id = "play";
  play.disabled = true;
  const message = element("div", "said");
  message.id = "message";
  const view = new ReplyView({ panel: "chat", who: "Model, through the guard" });
  const evidence = element("div");
  evidence.id = "evidence";

  root.append(
    element(
      "div",
      "main",
      element(
        "div",
        "card",
        element("h2", "", "A reply as it streams in"),
        field("recording", "Recorded reply", recording),
        about,
        element("div", "controls", field("pace", "Pace", pace, "grow"), guardSwitch("enabled", context), play),
        element("div", "talk", element("div", "turn user", element("span", "who", "User"), message), view.reply),
      ),
    ),
    element("div", "side", view.taken),
    element(
      "div",
      "below",
      element(
        "div",
        "card",
        element("h2", "", "Held this turn"),
        element("p", "hint", "What a claim can rest on. A sentence that claims more than this is taken out."),
        evidence,
      ),
    ),
  );

  let edgegate: Edgegate | undefined;
  let current: Recording | undefined;
  let running: AbortController | undefined;

  async function choose(): Promise<void> {
    running?.abort(new DOMException("another reply was chosen", "AbortError"));
    const id = recording.value;
    const loaded = await context.recording(id);
    if (recording.value !== id) return; // another one was chosen meanwhile
    current = loaded;
    about.textContent = loaded.about;
    message.textContent = loaded.message;
    view.clear();
    evidence.replaceChildren(...evidenceLists(loaded.evidence));
    play.disabled = edgegate === undefined;
  }

  async function stream(): Promise<void> {
    if (!edgegate || !current) return;
    const mine = new AbortController();
    running = mine;
    play.textContent = "Stop";
    const source = streamOf(current, Number(pace.value), mine.signal);
    const options = { evidence: current.evidence, enabled: context.guarding.now, signal: mine.signal };
    await view.play(edgegate, source, options, context);
    play.textContent = "Play again";
    if (running === mine) running = undefined;
  }

  recording.addEventListener("change", () => void choose());
  context.guarding.follow(() => {
    if (!running) view.clear();
  });
  play.addEventListener("click", () => {
    if (running) running.abort(new DOMException("stopped by the visitor", "AbortError"));
    else void stream();
  });

  for (const { id, title } of await context.recordings) recording.append(option(title, id));
  await choose();
  edgegate = await context.edgegate;
  play.disabled = false;
}
