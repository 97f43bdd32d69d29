/** The memory of this page: one store on this device, which the chat writes to and the panel Memories shows. */
import { InMemoryStore, type Memory, type MemoryScope, type Store, type StoreSnapshot } from "edgegate";
import { IndexedDbStore } from "edgegate/indexeddb";

import { Feed, Value } from "./feed.ts";
import type { PanelContext } from "./panels.ts";

const NAME = "edgegate memories";
const OFF = "edgegate: memory off"; // stands in localStorage where a person switched memory off

/** Where the memories are, and what may be done with them. */
export class Keeper {
  /** Whether memory is switched on; survives a reload. */
  readonly on = new Value(!isOff());
  /** Told whenever what is kept may have changed, in this tab or in another one. */
  readonly changed = new Feed<void>();
  /** Why memories are kept for this visit only; empty where they are kept on this device. */
  readonly forVisit: string;
  readonly #store: Store;
  readonly #channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(NAME) : undefined;
  readonly #edgegate: PanelContext["edgegate"];

  constructor(edgegate: PanelContext["edgegate"], store: Store, forVisit: string) {
    this.#edgegate = edgegate;
    this.#store = store;
    this.forVisit = forVisit;
    this.#channel?.addEventListener("message", () => this.changed.tell());
    this.on.follow((on) => rememberOff(!on));
  }

  /** Memory in a chat that may save or not. */
  async memory(saves: boolean): Promise<Memory> {
    return (await this.#edgegate).memory({ store: this.#store, scope: this.scope(saves) });
  }

  /** Memory for the person who looks at what is kept: it may be searched, whatever a chat may. */
  async own(): Promise<Memory> {
    return (await this.#edgegate).memory({ store: this.#store });
  }

  scope(saves: boolean): MemoryScope {
    return { on: this.on.now, saves };
  }

  /** All that is kept. Needs no core: it is there before the rules have started. */
  load(): Promise<StoreSnapshot> {
    return this.#store.load();
  }

  /** Says that something was written, to every panel and every tab. */
  wrote(): void {
    this.changed.tell();
    this.#channel?.postMessage("changed");
    if (this.#store instanceof IndexedDbStore) this.#store.persist().catch(() => {}); // as safe as this browser makes it
  }
}

let keeper: Promise<Keeper> | undefined;

/** The one keeper of this page. */
export function keeperOf(context: Pick<PanelContext, "edgegate">): Promise<Keeper> {
  keeper ??= open(context.edgegate);
  return keeper;
}

async function open(edgegate: PanelContext["edgegate"]): Promise<Keeper> {
  const kept = new IndexedDbStore(NAME);
  try {
    await kept.load({ ids: [] });
    return new Keeper(edgegate, kept, "");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return new Keeper(edgegate, new InMemoryStore(), why);
  }
}

function isOff(): boolean {
  try {
    return localStorage.getItem(OFF) !== null;
  } catch {
    return false; // this page may keep nothing at all, and so nothing is written either
  }
}

function rememberOff(off: boolean): void {
  try {
    if (off) localStorage.setItem(OFF, "1");
    else localStorage.removeItem(OFF);
  } catch {
    // it holds for this visit
  }
}
