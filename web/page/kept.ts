/** The panel Memories: what is kept on this device, to see, search, forget and take away. */
import type { Edgegate, FoundMemory, Memory, MemoryPicture, PictureNode, StoredMemory } from "edgegate";

import { button, count, element, field } from "./dom.ts";
import { type Keeper, keeperOf } from "./kept-keeper.ts";
import { memoryCard, MemoryList } from "./kept-list.ts";
import { candidatesOf, outcomeOf } from "./kept-outcome.ts";
import { Sky } from "./kept-sky.ts";
import { memorySwitches } from "./kept-switches.ts";
import type { Panel, PanelContext } from "./panels.ts";

let shown: Kept | undefined;

export const panel: Panel = {
  id: "kept",
  label: "Memories",
  async mount(root, context) {
    shown = new Kept(root, context, await keeperOf(context));
    await shown.start();
  },
  shown() {
    shown?.refresh();
  },
};

type View = "sky" | "list";

class Kept {
  readonly #context: PanelContext;
  readonly #keeper: Keeper;
  readonly #message = element("textarea");
  readonly #send = element("button", "primary", "Send");
  readonly #outcome = element("div", "kept-said");
  readonly #search = element("input");
  readonly #count = element("p", "hint");
  readonly #views: Record<View, HTMLInputElement> = { sky: element("input"), list: element("input") };
  readonly #export = button("Export everything", "quiet small");
  readonly #clear = button("Forget everything", "quiet small");
  readonly #clearing = element("div", "kept-ask");
  readonly #empty = element("p", "empty", "Nothing is kept. Tell it something above: “my sister Nadia plays the cello”, or “remind me on Friday to call the bank”.");
  readonly #detail = element("div", "kept-detail");
  readonly #sky = new Sky((node) => this.#choose(node));
  readonly #list = new MemoryList((memory) => void this.#forget([memory.id]));
  readonly #saves;
  #edgegate: Edgegate | undefined;
  #own: Memory | undefined;
  #memories: readonly StoredMemory[] = [];
  #picture: MemoryPicture | undefined;
  #drawn = -1; // the revision that is on the screen
  #searches = 0;
  #said = "";

  constructor(root: HTMLElement, context: PanelContext, keeper: Keeper) {
    this.#context = context;
    this.#keeper = keeper;
    const switches = memorySwitches("kept", keeper);
    this.#saves = switches.saves;
    this.#message.rows = 1;
    this.#message.placeholder = "“remember that the gate code is 4820”, “forget the gate code” …";
    this.#send.type = "submit";
    this.#send.id = "kept-send";
    this.#send.disabled = true;
    this.#outcome.id = "kept-outcome";
    this.#outcome.setAttribute("role", "status");
    const form = element("form", "composer", field("kept-message", "Say something that memory hears", this.#message, "grow"), this.#send);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#hear();
    });
    this.#message.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    });
    this.#search.type = "search";
    this.#search.addEventListener("input", () => void this.#find());
    this.#count.id = "kept-count";
    this.#count.setAttribute("role", "status");
    this.#export.id = "kept-export";
    this.#export.addEventListener("click", () => void this.#download());
    this.#setUpClearing();
    const where = keeper.forVisit
      ? `Kept for this visit only: ${keeper.forVisit}.`
      : "Kept in this browser, on this device. Memory keeps what you know in silence; it shows dated events, tasks and reminders.";
    const bytes = "What is forgotten is found by nothing any more. A browser makes no promise about its bytes: they may stand on the disk until it tidies up.";
    root.append(
      element("div", "wide card", element("div", "card-head", element("h2", "", "Tell memory something"), switches.node), form, this.#outcome, element("p", "hint", where)),
      element(
        "div",
        "wide card",
        element("div", "card-head", element("h2", "", "What is kept"), this.#choices()),
        element("div", "controls", field("kept-search", "Search", this.#search, "grow"), this.#count),
        this.#empty,
        element("div", "kept-views", this.#sky.node, this.#detail),
        this.#list.node,
        element("div", "controls", this.#export, this.#clear, this.#clearing),
        element("p", "hint", bytes),
      ),
    );
    this.#view("sky");
    this.#choose(null);
    keeper.changed.follow(() => void this.#load());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") void this.#load();
    });
  }

  async start(): Promise<void> {
    this.#edgegate = await this.#context.edgegate;
    this.#own = await this.#keeper.own();
    this.#send.disabled = false;
    await this.#load();
  }

  /** Looks again at what is kept. */
  refresh(): void {
    if (this.#edgegate) void this.#load();
  }

  #choices(): HTMLElement {
    const choice = (view: View, text: string): HTMLElement => {
      const input = this.#views[view];
      input.type = "radio";
      input.name = "kept-view";
      input.id = `kept-view-${view}`;
      input.checked = view === "sky";
      input.addEventListener("change", () => this.#view(view));
      return element("label", "choice", input, text);
    };
    const made = element("div", "choices", choice("sky", "Constellation"), choice("list", "List"));
    made.setAttribute("role", "radiogroup");
    made.setAttribute("aria-label", "How to look at it");
    return made;
  }

  #view(view: View): void {
    this.#sky.node.parentElement!.hidden = view !== "sky" || this.#memories.length === 0;
    this.#list.node.hidden = view !== "list";
  }

  async #load(): Promise<void> {
    if (!this.#own) return;
    try {
      const { revision, memories } = await this.#keeper.load();
      if (revision === this.#drawn) return;
      this.#picture = await this.#own.picture();
      this.#memories = memories;
      this.#drawn = revision;
    } catch (error) {
      this.#tell(wordsOf(error), true);
      return;
    }
    this.#empty.hidden = this.#memories.length > 0;
    this.#export.disabled = this.#clear.disabled = this.#memories.length === 0;
    this.#sky.draw(this.#picture);
    this.#view(this.#views.list.checked ? "list" : "sky");
    await this.#find();
  }

  // Telling

  async #hear(): Promise<void> {
    const text = this.#message.value.trim();
    if (!this.#edgegate || text === "") return;
    this.#send.disabled = true;
    try {
      const memory = await this.#keeper.memory(this.#saves.now);
      const outcome = await memory.turn(text, { said: this.#said || null });
      this.#said = outcome.words;
      this.#message.value = "";
      const said = outcomeOf(outcome) ?? element("p", "hint", "Heard. There is nothing to show.");
      const candidates = candidatesOf(outcome, this.#memories, (memory) => void this.#forget([memory.id]));
      this.#outcome.replaceChildren(said, ...(candidates ? [candidates] : []));
      if (outcome.applied) this.#keeper.wrote();
    } catch (error) {
      this.#tell(wordsOf(error), true);
    } finally {
      this.#send.disabled = false;
      this.#message.focus();
    }
  }

  #tell(text: string, bad = false): void {
    this.#outcome.replaceChildren(element("p", bad ? "error" : "", text));
  }

  // Searching

  async #find(): Promise<void> {
    const asked = this.#search.value.trim();
    const search = (this.#searches += 1);
    if (asked === "" || !this.#own || !this.#picture) {
      this.#sky.mark(null);
      this.#show([...this.#memories].reverse(), new Map());
      this.#count.textContent = this.#memories.length === 0 ? "" : count(this.#memories.length, "memory", "memories");
      return;
    }
    const found = await this.#own.recall(asked, { limit: 50 });
    if (search !== this.#searches) return; // something else is asked by now
    const angles = new Map(found.map((each) => [each.memory.id, each]));
    const letters = asked.toLowerCase();
    const spelled = this.#memories.filter(({ id, text }) => !angles.has(id) && text.toLowerCase().includes(letters));
    const memories = [...found.map(({ memory }) => memory), ...spelled];
    this.#sky.mark(new Set(memories.map(({ id }) => id)));
    this.#show(memories, angles);
    this.#count.textContent = memories.length === 0 ? "Nothing comes to mind." : `${count(memories.length, "memory", "memories")} found`;
  }

  #show(memories: readonly StoredMemory[], found: ReadonlyMap<string, FoundMemory>): void {
    const groups = new Map(this.#picture?.nodes.map(({ id, group }) => [id, group]));
    this.#list.show(memories, this.#picture?.legend ?? [], groups, found);
  }

  // Looking and forgetting

  #choose(node: PictureNode | null): void {
    if (!node) {
      this.#detail.replaceChildren(element("p", "hint", "Choose one to read it. Threads lead to what shares its person, its day or its topic."));
      return;
    }
    const memory = this.#memories.find(({ id }) => id === node.id);
    if (memory) {
      const label = this.#picture!.legend.find(({ kind }) => kind === node.kind)?.label ?? node.kind;
      this.#detail.replaceChildren(memoryCard(memory, { ...node, label }, (one) => void this.#forget([one.id])));
      return;
    }
    const ids = this.#picture!.edges.filter(({ source }) => source === node.id).map(({ target }) => target);
    const members = this.#memories.filter(({ id }) => ids.includes(id));
    this.#detail.replaceChildren(
      element("p", "kept-kind", `Topic: ${node.name}`),
      element("p", "hint", `It says nothing itself: ${count(members.length, "memory", "memories")} share it.`),
      element("ul", "kept-shared", ...members.slice(0, 12).map(({ text }) => element("li", "", text))),
    );
  }

  async #forget(ids: readonly string[]): Promise<void> {
    try {
      const memory = await this.#keeper.memory(this.#saves.now);
      const { words } = await memory.delete(ids);
      this.#tell(words);
      this.#context.say(words);
      this.#sky.choose(undefined);
      this.#keeper.wrote();
    } catch (error) {
      this.#tell(wordsOf(error), true);
    }
    this.#search.focus();
  }

  #setUpClearing(): void {
    const yes = button("Forget everything", "quiet small kept-yes");
    const no = button("Keep it", "quiet small");
    this.#clear.id = "kept-clear";
    this.#clearing.append(element("span", "", "Forget everything, for good?"), yes, no);
    this.#clearing.setAttribute("role", "group");
    this.#clearing.setAttribute("aria-label", "Forget everything, for good?");
    const open = (asking: boolean): void => {
      this.#clear.hidden = asking;
      this.#clearing.hidden = !asking;
    };
    open(false);
    this.#clear.addEventListener("click", () => {
      open(true);
      no.focus();
    });
    no.addEventListener("click", () => {
      open(false);
      this.#clear.focus();
    });
    yes.addEventListener("click", () => {
      open(false);
      void this.#forget(this.#memories.map(({ id }) => id));
    });
  }

  async #download(): Promise<void> {
    const whole = await this.#own?.export();
    if (!whole) return;
    const link = element("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(whole, null, 2)], { type: "application/json" }));
    link.download = `edgegate-memories-${whole.exported.slice(0, 10)}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    this.#context.say(`${count(whole.memories.length, "memory", "memories")} exported.`);
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
