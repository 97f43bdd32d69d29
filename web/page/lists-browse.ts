/** The records of a set as a list in pages: filtered by what went wrong, by persona, by words. */
import { button, element, field } from "./dom.ts";
import type { LabelledRecord } from "./lists-read.ts";
import { ERRORS } from "./lists-record.ts";
import type { Entry, LabelledSet } from "./lists-set.ts";

const PAGE = 40; // records in the list at once
const ANY = "any error";
const RIGHT = "right";

const number = new Intl.NumberFormat("en");

export class RecordList {
  /** The list with its filters. */
  readonly node: HTMLElement;
  readonly #kinds = element("div", "chips");
  readonly #group = element("select");
  readonly #groupLabel: HTMLElement;
  readonly #search = element("input");
  readonly #list = element("ol", "records");
  readonly #where = element("span", "hint");
  readonly #before = button("Previous", "quiet small");
  readonly #after = button("Next", "quiet small");
  readonly #onChoose: (entry: Entry) => void;
  #set: LabelledSet | undefined;
  #grouped = false;
  #kind = "";
  #page = 0;
  #found: readonly Entry[] = [];
  #chosen: Entry | undefined;
  #drawn = "";
  #typing = 0;

  constructor(onChoose: (entry: Entry) => void) {
    this.#onChoose = onChoose;
    Object.assign(this.#search, { type: "search", spellcheck: false });
    this.#kinds.id = "lists-kinds";
    this.#kinds.setAttribute("role", "group");
    this.#kinds.setAttribute("aria-label", "Which records to list");
    this.#list.id = "lists-records";
    this.#where.id = "lists-where";
    this.#before.id = "lists-before";
    this.#after.id = "lists-after";
    const nav = element("nav", "pages", this.#before, this.#where, this.#after);
    nav.setAttribute("aria-label", "Pages of the list");
    const group = field("lists-group", "Persona", this.#group, "grow");
    this.#groupLabel = group.querySelector("label")!;
    this.node = element(
      "div",
      "card list",
      element("h2", "", "Records"),
      this.#kinds,
      element("div", "controls", group, field("lists-search", "Search in the texts", this.#search, "grow")),
      this.#list,
      nav,
    );
    this.#group.addEventListener("change", () => this.#filter());
    this.#search.addEventListener("input", () => {
      clearTimeout(this.#typing);
      this.#typing = window.setTimeout(() => this.#filter(), 150);
    });
    this.#before.addEventListener("click", () => this.#turn(-1));
    this.#after.addEventListener("click", () => this.#turn(1));
  }

  /** What the groups are called: "Persona", or "Domain". */
  get by(): string {
    return this.#groupLabel.textContent;
  }

  /** Another set, from its beginning. */
  open(set: LabelledSet): void {
    this.#set = set;
    this.#grouped = false;
    this.#kind = this.#drawn = this.#search.value = "";
    this.#page = 0;
    this.#chosen = undefined;
    this.#group.replaceChildren(new Option("All", ""));
    this.redraw();
  }

  /** Lists one group alone. */
  choose(group: string): void {
    this.#group.value = group;
    this.#filter();
  }

  /** Draws what has changed of the set. */
  redraw(): void {
    if (this.#set && this.#set.state !== "reading" && !this.#grouped) this.#offerGroups(this.#set);
    this.#drawKinds();
    this.#filter(false);
  }

  get #entries(): readonly Entry[] {
    return this.#set?.entries ?? [];
  }

  #offerGroups(set: LabelledSet): void {
    this.#grouped = true;
    this.#group.replaceChildren(new Option("All", ""), ...[...set.groups].sort().map((name) => new Option(name, name)));
    this.#groupLabel.textContent = set.entries.some(({ record }) => "persona" in record) ? "Persona" : "Domain";
  }

  #drawKinds(): void {
    const kinds = new Map<string, number>([["", 0], [ANY, 0]]);
    let right = 0;
    for (const { errors, broken } of this.#entries) {
      if (broken) continue;
      kinds.set("", kinds.get("")! + 1);
      if (!errors) continue;
      if (errors.length > 0) kinds.set(ANY, kinds.get(ANY)! + 1);
      else right += 1;
      for (const error of errors) kinds.set(error, (kinds.get(error) ?? 0) + 1);
    }
    kinds.set(RIGHT, right);
    if (!kinds.has(this.#kind)) kinds.set(this.#kind, 0);
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["kind"] : undefined;
    const chips = [...kinds].map(([kind, records]) => {
      const name = kind === "" ? "All" : kind === ANY ? "Any error" : kind === RIGHT ? "Right" : (ERRORS[kind] ?? kind);
      const chip = button("", "chip");
      chip.append(name, " ", element("span", "count", number.format(records)));
      chip.dataset["kind"] = kind;
      chip.setAttribute("aria-pressed", String(kind === this.#kind));
      chip.addEventListener("click", () => {
        this.#kind = kind;
        for (const other of chips) other.setAttribute("aria-pressed", String(other === chip));
        this.#filter();
      });
      return chip;
    });
    this.#kinds.replaceChildren(...chips);
    if (focused !== undefined) chips.find((chip) => chip.dataset["kind"] === focused)?.focus();
  }

  /** Finds what is to be listed. Drawn anew from the first page when a person changed what they look for. */
  #filter(anew = true): void {
    const words = this.#search.value.trim().toLowerCase();
    const group = this.#group.value;
    this.#found = this.#entries.filter(
      (entry) =>
        !entry.broken &&
        (this.#kind === "" || (entry.errors !== undefined && (this.#kind === RIGHT ? entry.errors.length === 0 : this.#kind === ANY ? entry.errors.length > 0 : entry.errors.includes(this.#kind)))) &&
        (group === "" || entry.group === group) &&
        (words === "" || textOf(entry.record).toLowerCase().includes(words) || entry.id.toLowerCase().includes(words)),
    );
    if (anew) this.#page = 0;
    this.#drawList();
  }

  #turn(by: number): void {
    this.#page += by;
    this.#drawList();
    this.#list.querySelector("button")?.focus();
  }

  #drawList(): void {
    const pages = Math.max(1, Math.ceil(this.#found.length / PAGE));
    this.#page = Math.min(Math.max(0, this.#page), pages - 1);
    const from = this.#page * PAGE;
    const some = this.#found.slice(from, from + PAGE);
    // While the set is scored this is asked for again and again, and mostly nothing of it has changed.
    const state = JSON.stringify([from, this.#chosen?.line, some.map(({ line, errors }) => [line, errors])]);
    if (state !== this.#drawn) {
      const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["line"] : undefined;
      this.#list.start = from + 1;
      this.#list.replaceChildren(...some.map((entry) => this.#row(entry)));
      if (focused !== undefined) this.#list.querySelector<HTMLElement>(`[data-line="${Number(focused)}"]`)?.focus();
      this.#drawn = state;
    }
    this.#where.textContent =
      this.#found.length === 0 ? "No record is like that." : `${number.format(from + 1)} to ${number.format(from + some.length)} of ${number.format(this.#found.length)}`;
    this.#before.disabled = this.#page === 0;
    this.#after.disabled = this.#page === pages - 1;
  }

  #row(entry: Entry): HTMLElement {
    const made = button("", "record");
    const { errors } = entry;
    const sign = element("span", "mark", errors === undefined ? "…" : errors.length === 0 ? "✓" : "✗");
    sign.setAttribute("aria-hidden", "true");
    const told = errors === undefined ? "not scored yet" : errors.length === 0 ? "right" : errors.map((error) => ERRORS[error] ?? error).join(", ");
    made.append(
      sign,
      element("span", "record-text", textOf(entry.record).slice(0, 160)),
      element("span", "hint", `${entry.id} · ${entry.group} · ${told}`.slice(0, 300)),
    );
    made.dataset["line"] = String(entry.line);
    made.dataset["right"] = String(errors === undefined || errors.length === 0);
    if (entry === this.#chosen) made.setAttribute("aria-current", "true");
    made.addEventListener("click", () => {
      this.#chosen = entry;
      this.#drawList();
      this.#onChoose(entry);
    });
    return element("li", "", made);
  }
}

/** The text of a record that a person would know it by. */
function textOf(record: LabelledRecord): string {
  const text = record["reply"] ?? record["memory"];
  return typeof text === "string" ? text : "";
}
