/**
 * The panels of the page, and what each of them gets and gives.
 *
 * A panel is one module that exports `panel: Panel`, and one line in `PANELS` below: the tabs stand in that order. To add
 * one (here called "try"):
 *
 * 1. `try.ts` exports `export const panel: Panel = { id: "try", label: "Try", mount(root, context) { … } }`.
 *    - `mount` is called once, when the panel is first shown, with an empty `<section class="panel">`. It may be async: what it
 *      throws is shown in words inside the panel. It draws everything with `element()` of dom.ts (never as markup: the
 *      browser is told to refuse it). Ids of its own elements start with its id ("try-text"), so that they stay unique.
 *    - `panel.shown?.()` is called each time the tab is chosen, the first time after `mount`; `hidden?.()` when it is left.
 *    - It waits for `await context.edgegate` before it calls the core, and keeps its buttons disabled until then.
 *    - It holds no rule and no word list of the language: it moves text, draws, and asks the core.
 * 2. `try.css` holds its styles, below `#panel-try`, and has its line in styles.css, after those of the others. Colours and the
 *    shared pieces (`card`, `field`, `controls`, `primary`, `quiet`, `switch`, `facts`, `tag`, `hint`, `empty`, `error`) come
 *    from base.css. The layout classes inside a panel are `main`, `side`, `below` (two columns, one on a phone) or `wide` (both).
 * 3. The line in `PANELS`, and a test that drives it in the browser (`tests/web/`), axe in light, dark and at 360 px included
 *    (`test_page_looks.py` does that for every panel in PANELS by itself and takes its screenshots).
 *
 * A reply on its way to the reader is drawn by `ReplyView` (reply-view.ts) in every panel: the growing text, what was taken
 * out and why, what is stored. It also tells `context.replies` how each reply went (for the panel Speed).
 */
import type { Edgegate, Progress } from "edgegate";

import type { Feed, Value } from "./feed.ts";
import type { MemoryExample, Recording, RecordingEntry } from "./recordings.ts";
import { panel as chat } from "./chat.ts";
import { panel as compare } from "./compare.ts";
import { panel as kept } from "./kept.ts";
import { panel as lists } from "./lists.ts";
import { panel as memory } from "./memory.ts";
import { panel as speed } from "./speed.ts";
import { panel as tryOut } from "./try.ts";

/** One panel of the page. */
export interface Panel {
  /** Names the tab (`tab-ID`), the section (`panel-ID`) and the address (`#ID`): lower-case letters. */
  readonly id: string;
  /** What stands on the tab. */
  readonly label: string;
  /** Draws the panel into `root`, once. */
  mount(root: HTMLElement, context: PanelContext): void | Promise<void>;
  /** The panel is on the screen. */
  shown?(): void;
  /** Another panel was chosen. */
  hidden?(): void;
}

/** A step of the start: the stage, and when it was reached, in milliseconds since the page was opened. */
export interface LoadStep extends Progress {
  readonly at: number;
}

/** What was measured of one reply, told when it begins, at each piece, and when it ends. Times are in milliseconds. */
export type ReplyStep =
  | { readonly kind: "begin"; readonly panel: string }
  /** A piece went in: how long the core took, its length, how many characters the guard holds after it. */
  | { readonly kind: "piece"; readonly cost: number; readonly characters: number; readonly held: number }
  /** The first sentence was decided, so long after the first piece came in. */
  | { readonly kind: "first"; readonly after: number }
  | { readonly kind: "end"; readonly shown: number; readonly dropped: number };

/** What the server says of itself (`settings.json`). */
export interface Settings {
  /** The origin of the model's service that the page may ask, or null where the operator named none. */
  readonly endpoint: string | null;
}

/** What every panel gets. */
export interface PanelContext {
  /** The started edgegate; rejects where it could not start (the head of the page says why). */
  readonly edgegate: Promise<Edgegate>;
  /** The kill switch of the page: true while the guard is on. Its state stands at the head of the page at all times. */
  readonly guarding: Value<boolean>;
  /** Every step of the start so far, and those to come. */
  readonly loading: Feed<LoadStep>;
  /** How the replies go, in whatever panel. */
  readonly replies: Feed<ReplyStep>;
  /** What the server says of itself. Asked only when it is needed: without a network there is nobody to ask. */
  settings(): Promise<Settings>;
  /** The recorded replies that ship with the page, and one of them by its id. */
  readonly recordings: Promise<readonly RecordingEntry[]>;
  recording(id: string): Promise<Recording>;
  /** The examples of the memory gate. */
  readonly examples: Promise<readonly MemoryExample[]>;
  /** Says something to those who hear the page: a polite live region. */
  say(text: string): void;
}

/** The panels, in the order of their tabs. */
export const PANELS: readonly Panel[] = [chat, compare, memory, kept, tryOut, lists, speed];
