/**
 * The panel Chat: replies stream through the guard, from a recording or from a model of the visitor's own. Beside them each
 * claim and its reason, below them what is held this turn, which can be edited.
 */
import type { Edgegate, EvidenceInput } from "edgegate";

import { button, element, field } from "./dom.ts";
import { type Answered, ask, EndpointError, EndpointForm, type Message } from "./endpoint.ts";
import { EvidenceEditor, KINDS } from "./evidence.ts";
import { ChatMemory, type Heard } from "./kept-chat.ts";
import { labelsFold, outcomesOf, scoreOf } from "./labels.ts";
import type { Panel, PanelContext } from "./panels.ts";
import { type Recording, streamOf } from "./recordings.ts";
import { pane, ReplyView, wordsOf } from "./reply-view.ts";

export const panel: Panel = { id: "chat", label: "Chat", mount };

type From = "recording" | "model";

/** A conversation with a model as it stands on the screen. */
interface Conversation {
  nodes: Node[];
  view: ReplyView;
  evidence: EvidenceInput;
}

async function mount(root: HTMLElement, context: PanelContext): Promise<void> {
  const chat = new Chat(root, context);
  await chat.start();
}

class Chat {
  readonly #context: PanelContext;
  readonly #from: Record<From, HTMLInputElement> = { recording: element("input"), model: element("input") };
  readonly #recording = element("select");
  readonly #about = element("p", "about");
  readonly #pace = element("select", "", new Option("As recorded", "1"), new Option("Fast", "0.3"), new Option("Slow", "3"));
  readonly #play = button("Play", "primary");
  readonly #endpoint: EndpointForm;
  readonly #memory: ChatMemory;
  readonly #tellHeld = element("input");
  readonly #message = element("textarea");
  readonly #send = element("button", "primary", "Send");
  readonly #again = button("New conversation", "quiet");
  readonly #talk = element("div", "talk");
  readonly #foot = element("div", "foot-line");
  readonly #side = element("div", "side");
  readonly #evidence: EvidenceEditor;
  readonly #forRecording: HTMLElement;
  readonly #forModel: HTMLElement;
  readonly #composer = element("form", "composer");
  #view: ReplyView;
  #edgegate: Edgegate | undefined;
  #current: Recording | undefined;
  #running: AbortController | undefined;
  #asking: Promise<void> | undefined; // the question to the model that is under way, or the last one
  #left: Conversation | undefined; // the conversation, while a recording is on the screen
  #turns: Message[] = []; // of the conversation with the visitor's own model
  #count = 0;
  #choices = 0; // of recordings: only the last one is put on the screen

  constructor(root: HTMLElement, context: PanelContext) {
    this.#context = context;
    this.#endpoint = new EndpointForm(context);
    this.#memory = new ChatMemory("chat", context);
    this.#evidence = new EvidenceEditor({
      id: "evidence",
      hint: "What a claim can rest on. A sentence that claims more than this is taken out. Change it, and play again.",
    });
    this.#view = this.#newView();
    this.#play.id = "play";
    this.#play.disabled = true;
    this.#about.id = "about";
    this.#forRecording = element(
      "div",
      "source",
      element(
        "div",
        "controls",
        field("recording", "Recorded reply", this.#recording, "grow wider"),
        field("pace", "Pace", this.#pace),
        this.#play,
      ),
      this.#about,
    );
    this.#tellHeld.type = "checkbox";
    this.#tellHeld.id = "tell-held";
    this.#tellHeld.checked = true;
    const tell = element("label", "check", this.#tellHeld, "Tell the model what is held");
    this.#forModel = element(
      "div",
      "source",
      this.#endpoint.node,
      element("div", "controls", tell, this.#memory.node, this.#again),
    );
    this.#again.id = "new-conversation";
    this.#send.type = "submit";
    this.#send.id = "send";
    this.#send.disabled = true;
    this.#message.rows = 2;
    this.#message.placeholder = "Write to the model …";
    this.#composer.append(field("chat-message", "Your message", this.#message, "grow"), this.#send);
    this.#composer.hidden = true;
    this.#draw(root);
    this.#listen();
  }

  #draw(root: HTMLElement): void {
    const choice = (from: From, text: string): HTMLElement => {
      const input = this.#from[from];
      input.type = "radio";
      input.name = "chat-from";
      input.id = `from-${from}`;
      input.checked = from === "recording";
      input.addEventListener("change", () => void this.#switchTo(from));
      return element("label", "choice", input, text);
    };
    const choices = element("div", "choices", choice("recording", "A recorded reply"), choice("model", "A model of yours"));
    choices.setAttribute("role", "radiogroup");
    choices.setAttribute("aria-label", "Where the reply comes from");
    this.#forModel.hidden = true;
    this.#side.append(this.#view.taken);
    root.append(
      element("div", "wide card from", choices, this.#forRecording, this.#forModel),
      element("div", "main", element("div", "card", pane("Conversation", this.#talk), this.#composer, this.#foot)),
      this.#side,
      element("div", "wide", this.#evidence.node),
    );
  }

  #listen(): void {
    this.#recording.addEventListener("change", () => void this.#choose());
    this.#context.guarding.follow(() => {
      if (!this.#running && this.#from.recording.checked) this.#view.clear();
    });
    this.#play.addEventListener("click", () => {
      if (this.#running) this.#stop("stopped by the visitor");
      else void this.#playRecording();
    });
    this.#again.addEventListener("click", () => this.#startConversation());
    this.#composer.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#running) this.#stop("stopped by the visitor");
      else this.#asking = this.#askModel();
    });
    this.#message.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      if (!this.#running) this.#composer.requestSubmit();
    });
  }

  async start(): Promise<void> {
    for (const { id, title } of await this.#context.recordings) this.#recording.append(new Option(title, id));
    await this.#choose();
    this.#edgegate = await this.#context.edgegate;
    this.#play.disabled = false;
    this.#send.disabled = false;
  }

  #newView(prefix = ""): ReplyView {
    const view = new ReplyView({ panel: "chat", who: "Model, through the guard", prefix });
    this.#foot.replaceChildren(view.outcome, view.fold);
    return view;
  }

  #stop(why: string): void {
    this.#running?.abort(new DOMException(why, "AbortError"));
  }

  async #switchTo(from: From): Promise<void> {
    const parts: Record<From, HTMLElement> = { recording: this.#forRecording, model: this.#forModel };
    this.#stop("another source was chosen");
    await this.#asking; // what was shown by then stays in the conversation
    if (!this.#from[from].checked || !parts[from].hidden) return; // the other one was chosen meanwhile
    if (from === "recording") {
      this.#left = { nodes: Array.from(this.#talk.childNodes), view: this.#view, evidence: this.#evidence.value };
    }
    this.#forRecording.hidden = from !== "recording";
    this.#forModel.hidden = from !== "model";
    this.#composer.hidden = from !== "model";
    if (from === "recording") return this.#choose();
    if (this.#left && this.#turns.length > 0) this.#resume(this.#left);
    else this.#startConversation();
    await this.#endpoint.fill();
  }

  // Recorded replies

  async #choose(): Promise<void> {
    this.#stop("another reply was chosen");
    this.#play.disabled = true; // until it is there, Play would play the one before
    const choice = (this.#choices += 1);
    const loaded = await this.#context.recording(this.#recording.value);
    if (choice !== this.#choices || !this.#from.recording.checked) return; // something was chosen meanwhile
    this.#current = loaded;
    this.#about.textContent = loaded.about;
    this.#view = this.#newView();
    this.#side.replaceChildren(this.#view.taken);
    const said = element("div", "said", loaded.message);
    said.id = "message";
    this.#talk.replaceChildren(element("div", "turn user", element("span", "who", "User"), said), this.#view.turn);
    this.#evidence.set(loaded.evidence);
    this.#play.textContent = "Play";
    this.#play.disabled = this.#edgegate === undefined;
  }

  async #playRecording(): Promise<void> {
    const [edgegate, recording, view] = [this.#edgegate, this.#current, this.#view];
    if (!edgegate || !recording) return;
    const running = new AbortController();
    this.#running = running;
    this.#play.textContent = "Stop";
    const source = streamOf(recording, Number(this.#pace.value), running.signal);
    const options = { evidence: this.#evidence.value, enabled: this.#context.guarding.now, signal: running.signal };
    const end = await view.play(edgegate, source, options, this.#context);
    if (end && !end.aborted && end.enabled) this.#judge(view, recording);
    if (this.#running === running) this.#running = undefined;
    if (this.#current === recording) this.#play.textContent = "Play again";
  }

  /** Holds what the guard did against what the sentences of the recording are known to be. */
  #judge(view: ReplyView, recording: Recording): void {
    const outcomes = outcomesOf(recording, view.dropped);
    view.remark(`Against the labels, ${scoreOf(outcomes)}.`);
    view.mark(outcomes.filter(({ right, dropped }) => !right && !dropped).map(({ text }) => text), "missed-claim");
    view.add(labelsFold(outcomes));
  }

  // A model of the visitor's own

  #startConversation(): void {
    this.#stop("a new conversation begins");
    this.#turns = [];
    this.#count = 0;
    this.#evidence.set({});
    this.#view = this.#newView("turn-0-");
    this.#view.tell("Write something: the reply appears as the guard releases it.", "quiet");
    this.#side.replaceChildren(this.#view.taken);
    this.#talk.replaceChildren(
      element("p", "empty", "A conversation with a model of yours. What was said in it counts as held; so does all that you add below."),
    );
  }

  /** The conversation as it was left for a recording. */
  #resume({ nodes, view, evidence }: Conversation): void {
    this.#view = view;
    this.#talk.replaceChildren(...nodes);
    this.#side.replaceChildren(view.taken);
    this.#foot.replaceChildren(view.outcome, view.fold);
    this.#evidence.set(evidence);
  }

  async #askModel(): Promise<void> {
    const edgegate = this.#edgegate;
    const message = this.#message.value.trim();
    if (!edgegate || message === "") return;
    let endpoint;
    try {
      endpoint = this.#endpoint.value;
    } catch (error) {
      this.#view.tell(wordsOf(error), "bad");
      return;
    }
    if (this.#count === 0) this.#talk.replaceChildren();
    this.#count += 1;
    this.#message.value = "";
    this.#turns.push({ role: "user", content: message });
    this.#evidence.push({ speaker: "user", text: message });
    const view = this.#newView(`turn-${this.#count}-`);
    this.#view = view;
    this.#side.replaceChildren(view.taken);
    const said = element("div", "turn user", element("span", "who", "You"), element("div", "said", message));
    this.#talk.append(said, view.turn);
    view.turn.querySelector(".who")!.append(this.#reasonsButton(view));
    view.turn.scrollIntoView({ block: "nearest" });

    const running = new AbortController();
    this.#running = running;
    this.#send.textContent = "Stop";
    view.begin();
    const heard = await this.#memory.hear(message, this.#turns.slice(0, -1));
    if (heard.note) said.append(heard.note);
    const answered = await ask(edgegate, endpoint, this.#messages(heard), {
      evidence: this.#held(heard),
      enabled: this.#context.guarding.now,
      signal: running.signal,
      onEvent: (event) => view.note(event),
      onText: (text) => view.show(text),
    });
    if (this.#running === running) {
      this.#running = undefined;
      this.#send.textContent = "Send";
    }
    heard.answered();
    if (this.#view !== view) return; // a new conversation began meanwhile
    this.#endTurn(view, answered, running.signal.aborted, [said, view.turn], message);
  }

  #endTurn(view: ReplyView, { ends, problem }: Answered, stopped: boolean, nodes: Element[], message: string): void {
    const [end] = ends;
    if (end) {
      view.finish({ ...end, shown: ends.map(({ shown }) => shown).join(""), dropped: view.dropped.length });
      if (problem !== undefined && !stopped) view.brokeOff(problem);
      if (view.shown === "") return;
      this.#turns.push({ role: "assistant", content: view.shown });
      this.#evidence.push({ speaker: "assistant", text: view.shown });
      return;
    }
    // No reply came: the message goes back to where it was written, to be sent again.
    for (const node of nodes) node.remove();
    this.#turns.pop();
    this.#evidence.pop();
    if (this.#message.value === "") this.#message.value = message;
    if (stopped) view.tell("Stopped before the model said anything.", "quiet");
    else view.tell(problem instanceof EndpointError ? problem.message : `No reply came: ${wordsOf(problem ?? "it was empty")}.`, "bad");
  }

  /** What goes to the model: what is held and came to mind, if it is to be told, and the conversation as it was shown. */
  #messages(heard: Heard): Message[] {
    if (!this.#tellHeld.checked) return this.#turns;
    const { history: _history, ...held } = this.#held(heard);
    const lists = Object.entries(held).map(
      ([kind, items]) => `${KINDS[kind as keyof typeof KINDS]}:\n${(items as string[]).map((item) => `- ${item}`).join("\n")}`,
    );
    if (heard.words !== "") lists.push(`Memory says: ${heard.words}`);
    return lists.length === 0 ? this.#turns : [{ role: "system", content: lists.join("\n\n") }, ...this.#turns];
  }

  /** What stands in the lists, what came to mind, and what memory did this turn. */
  #held({ memories, writes }: Heard): EvidenceInput {
    const held = { ...this.#evidence.value };
    if (memories.length > 0) held.memories = [...(held.memories ?? []), ...memories];
    if (writes.length > 0) held.writes = [...(held.writes ?? []), ...writes];
    return held;
  }

  #reasonsButton(view: ReplyView): HTMLElement {
    const show = button("Why", "quiet small");
    show.addEventListener("click", () => {
      this.#side.replaceChildren(view.taken);
      this.#foot.replaceChildren(view.outcome, view.fold);
    });
    return show;
  }
}
