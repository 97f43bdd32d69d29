/** The panel Compare: the same reply without the guard and with it, piece by piece in step. */
import type { Edgegate } from "edgegate";

import { button, element, field } from "./dom.ts";
import type { Panel, PanelContext } from "./panels.ts";
import { type Recording, streamOf } from "./recordings.ts";
import { ReplyView } from "./reply-view.ts";

export const panel: Panel = { id: "compare", label: "Compare", mount };

async function mount(root: HTMLElement, context: PanelContext): Promise<void> {
  const recording = element("select");
  const pace = element("select", "", new Option("As recorded", "1"), new Option("Fast", "0.3"), new Option("Slow", "3"));
  const play = button("Play both", "primary");
  play.id = "compare-play";
  play.disabled = true;
  const state = element("p", "switch-line");
  state.id = "compare-state";
  state.setAttribute("role", "status");
  const bare = new ReplyView({ panel: "compare", who: "As the model said it", prefix: "bare-", idle: "Nothing is checked on this side." });
  const guarded = new ReplyView({ panel: "compare", who: "Through the guard", prefix: "guarded-", idle: "Only what is decided appears on this side." });
  guarded.taken.classList.add("wide");

  root.classList.add("halves");
  root.append(
    element(
      "div",
      "wide card from",
      element("div", "controls", field("compare-recording", "Recorded reply", recording, "grow wider"), field("compare-pace", "Pace", pace), play),
      state,
    ),
    element("div", "half card", element("h2", "", "Without the guard"), bare.reply),
    element("div", "half card", element("h2", "", "With the guard"), guarded.reply),
    guarded.taken,
  );

  let edgegate: Edgegate | undefined;
  let current: Recording | undefined;
  let running: AbortController | undefined;
  let choices = 0;

  function stop(why: string): void {
    running?.abort(new DOMException(why, "AbortError"));
  }

  context.guarding.follow((on) => {
    state.dataset["on"] = String(on);
    state.textContent = on
      ? "Guard on: the right side shows only what is decided."
      : "Guard off: the kill switch is thrown, and both sides show everything the model says.";
    if (!running) {
      bare.clear();
      guarded.clear();
    }
  });

  async function choose(): Promise<void> {
    stop("another reply was chosen");
    play.disabled = true; // until it is there, Play would play the one before
    const choice = (choices += 1);
    const loaded = await context.recording(recording.value);
    if (choice !== choices) return; // something was chosen meanwhile
    current = loaded;
    bare.clear();
    guarded.clear();
    play.textContent = "Play both";
    play.disabled = edgegate === undefined;
  }

  recording.addEventListener("change", () => void choose());
  play.addEventListener("click", () => {
    if (running) {
      stop("stopped by the visitor");
      return;
    }
    if (!edgegate || !current) return;
    const mine = new AbortController();
    running = mine;
    play.textContent = "Stop";
    void playBoth(edgegate, current, Number(pace.value), mine.signal, bare, guarded, context).finally(() => {
      if (running === mine) running = undefined;
      play.textContent = "Play again";
    });
  });

  for (const { id, title } of await context.recordings) recording.append(new Option(title, id));
  await choose();
  edgegate = await context.edgegate;
  play.disabled = false;
}

/** One stream into two guards: each piece goes to both before the next is taken. */
async function playBoth(
  edgegate: Edgegate,
  recording: Recording,
  pace: number,
  signal: AbortSignal,
  bare: ReplyView,
  guarded: ReplyView,
  { guarding }: Pick<PanelContext, "guarding">,
): Promise<void> {
  const { evidence } = recording;
  const sides = [
    { view: bare, reply: edgegate.openReply({ evidence, enabled: false, onEvent: (event) => bare.note(event) }) },
    {
      view: guarded,
      reply: edgegate.openReply({ evidence, enabled: guarding.now, explain: true, onEvent: (event) => guarded.note(event) }),
    },
  ];
  for (const { view } of sides) view.begin();
  let broken: unknown;
  try {
    for await (const piece of streamOf(recording, pace, signal)) {
      const texts = await Promise.all(sides.map(({ reply }) => reply.feed(piece)));
      sides.forEach(({ view }, side) => view.show(texts[side]!));
    }
  } catch (error) {
    broken = error;
  }
  for (const { view, reply } of sides) {
    try {
      if (signal.aborted) await reply.abort();
      else view.show(await reply.close());
      view.finish(await reply.end);
      if (broken !== undefined && !signal.aborted) view.brokeOff(broken);
    } catch (error) {
      view.fail(error);
    }
  }
  bare.mark(guarded.dropped, "taken-claim");
  if (guarded.dropped.length > 0) bare.remark("What the guard took out on the other side is struck through.");
}
