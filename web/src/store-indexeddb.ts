/**
 * Memories in the browser's IndexedDB: they survive a reload, and every tab of an origin sees the same.
 *
 * ```js
 * import { IndexedDbStore } from "edgegate/indexeddb";
 * const store = new IndexedDbStore();
 * const memory = edgegate.memory({ store });
 * ```
 *
 * A commit is one transaction with `durability: "strict"`, on the revision it was planned on: it is answered when the browser
 * has written it to disk, and a page that is closed in the middle leaves nothing of it. What IndexedDB does not promise is
 * that deleted text is overwritten on the disk, so a commit that deleted something says `erased: false`.
 *
 * Sources: w3.org/TR/IndexedDB (transactions, durability hints, abnormal closing), storage.spec.whatwg.org (persistence).
 *
 * @module edgegate/indexeddb
 */
import { StoreError } from "./errors.ts";
import type { Applied, Commit, StoredMemory, StoreSnapshot, TurnRecord } from "./protocol.ts";
import { type LoadOptions, MOST_FOUND, rankByTerms, refuseUnkeepable, type Store } from "./store.ts";

export type { LoadOptions as StoreLoadOptions, Store } from "./store.ts";

/** The version of the schema, which is the version of the database. */
const SCHEMA = 1;
const APPLICATION = "edgegate";
const TABLES = ["state", "memories", "turns"] as const;

interface State {
  application: string;
  revision: number;
}

/** A store in the IndexedDB database `name` of this origin. It is opened when it is first asked something. */
export class IndexedDbStore implements Store {
  readonly name: string;
  #opening: Promise<IDBDatabase> | undefined;
  #closed = false;

  constructor(name = "edgegate memories") {
    this.name = name;
  }

  async load({ turns = 0, ids }: LoadOptions = {}): Promise<StoreSnapshot> {
    return this.#transact("readonly", async (transaction) => {
      const memories = transaction.objectStore("memories");
      const [revision, kept, latest] = await Promise.all([
        this.#revision(transaction),
        ids ? byId(memories, ids) : answer<StoredMemory[]>(memories.getAll()),
        turns > 0 ? newest(transaction.objectStore("turns"), turns) : [],
      ]);
      return { revision, memories: kept, turns: latest };
    });
  }

  async find(terms: readonly string[], limit = MOST_FOUND): Promise<StoreSnapshot> {
    return this.#transact("readonly", async (transaction) => {
      const memories = transaction.objectStore("memories");
      const index = memories.index("terms");
      const [revision, total, holders] = await Promise.all([
        this.#revision(transaction),
        answer(memories.count()),
        Promise.all([...new Set(terms)].map((term) => answer<IDBValidKey[]>(index.getAllKeys(term)))),
      ]);
      const best = rankByTerms(holders, total, limit);
      return { revision, memories: await Promise.all(best.map((place) => answer<StoredMemory>(memories.get(place)))), turns: [] };
    });
  }

  async apply(commit: Commit): Promise<Applied> {
    return this.#transact("readwrite", async (transaction) => {
      const [memories, state] = [transaction.objectStore("memories"), transaction.objectStore("state")];
      const revision = await this.#revision(transaction);
      refuseUnkeepable(commit, revision);
      const put = new Map(commit.put.map((memory) => [memory.id, memory]));
      const names = [...new Set([...commit.delete, ...put.keys()])];
      const keys = await Promise.all(names.map((id) => answer(memories.index("id").getKey(id))));
      const places = new Map(names.map((id, at) => [id, keys[at]]));
      const deleted = [...new Set(commit.delete)].filter((id) => places.get(id) !== undefined);
      for (const id of deleted) {
        memories.delete(places.get(id)!);
        places.delete(id);
      }
      for (const [id, memory] of put) memories.put(memory, places.get(id));
      if (commit.turn) transaction.objectStore("turns").add(commit.turn);
      state.put({ application: APPLICATION, revision: revision + 1 } satisfies State, "state");
      return { revision: revision + 1, put: commit.put.map(({ id }) => id), deleted, erased: deleted.length === 0 };
    });
  }

  /**
   * Asks the browser never to throw this origin's data away by itself when room gets scarce; whether it will keep to that.
   * Some browsers ask the person: call it when somebody has just chosen to keep something.
   */
  async persist(): Promise<boolean> {
    const { storage } = navigator;
    return (await storage?.persisted?.()) || (await storage?.persist?.()) || false;
  }

  /** Closes the database. A closed store answers nothing more. */
  async close(): Promise<void> {
    this.#closed = true;
    const opening = this.#opening;
    this.#opening = undefined;
    await opening?.then((database) => database.close(), () => {});
  }

  async #revision(transaction: IDBTransaction): Promise<number> {
    const state = await answer<State | undefined>(transaction.objectStore("state").get("state"));
    if (state?.application !== APPLICATION || !Number.isSafeInteger(state.revision) || state.revision < 0) {
      throw new StoreError("the database is damaged, it was left as it is: it doesn't say its revision", this.name);
    }
    return state.revision;
  }

  /** What `work` gives, once its transaction is kept for good. Whatever fails, nothing of it is kept. */
  async #transact<Result>(
    mode: "readonly" | "readwrite",
    work: (transaction: IDBTransaction) => Promise<Result>,
  ): Promise<Result> {
    const transaction = await this.#begin(mode);
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new StoreError("the browser ended it", this.name));
    });
    ended.catch(() => {}); // heard below, unless the work itself failed
    let result: Result;
    try {
      result = await work(transaction);
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        // it has ended already
      }
      throw await this.#told(error, ended, mode);
    }
    try {
      await ended;
    } catch (error) {
      throw this.#worded(error, mode);
    }
    return result;
  }

  /** The reason why a transaction failed: its own, where the failure of a request was only the consequence. */
  async #told(error: unknown, ended: Promise<void>, mode: IDBTransactionMode): Promise<Error> {
    if (error instanceof StoreError) return error;
    const own = await ended.then(() => undefined, (reason: unknown) => reason);
    return this.#worded(own instanceof DOMException && own.name !== "AbortError" ? own : error, mode);
  }

  #worded(error: unknown, mode: IDBTransactionMode): Error {
    if (error instanceof StoreError) return error;
    const { name, message } = error as DOMException;
    const why = name === "QuotaExceededError" ? "there is no room left on this device for this page" : `${name}: ${message}`;
    return new StoreError(`nothing ${mode === "readonly" ? "could be read" : "was kept"}: ${why}`, this.name);
  }

  async #begin(mode: IDBTransactionMode): Promise<IDBTransaction> {
    const begin = (database: IDBDatabase): IDBTransaction => database.transaction(TABLES, mode, { durability: "strict" });
    const database = await this.#open();
    try {
      return begin(database);
    } catch (error) {
      if ((error as DOMException).name !== "InvalidStateError") throw this.#worded(error, mode);
      this.#opening = undefined; // the browser closed it meanwhile: its data was cleared, or a newer page took over
      return begin(await this.#open());
    }
  }

  #open(): Promise<IDBDatabase> {
    if (this.#closed) return Promise.reject(new StoreError("this store is closed", this.name));
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  #connect(again = true): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      const refuse = (why: string): void => reject(new StoreError(why, this.name));
      if (!globalThis.indexedDB) {
        refuse("there is no IndexedDB here");
        return;
      }
      let request: IDBOpenDBRequest;
      try {
        request = indexedDB.open(this.name, SCHEMA);
      } catch (error) {
        refuse(`the database can't be opened: ${(error as Error).message}`);
        return;
      }
      let lost = "";
      request.onupgradeneeded = (event) => {
        // Chromium throws a damaged database away, and says so here and never again.
        const { dataLoss = "none", dataLossMessage = "" } = event as { dataLoss?: string; dataLossMessage?: string };
        if (dataLoss !== "none") lost = dataLossMessage || dataLoss;
        if (lost || event.oldVersion !== 0) request.transaction!.abort();
        else create(request.result);
      };
      request.onerror = () => {
        const error = request.error;
        if (lost) refuse(`the browser found the database damaged and threw it away (${lost}); opened again, it is empty`);
        else if (error?.name === "VersionError") {
          refuse(`the database has a newer schema than ${SCHEMA}: it was left as it is, use a newer edgegate`);
        } else if (again && error?.name === "AbortError") {
          // A clearing of the site's data that is under way takes new connections with it, and is over at the next try.
          this.#connect(false).then(resolve, reject);
        } else refuse(`the database can't be opened, it was left as it is (${error?.name}: ${error?.message})`);
      };
      request.onsuccess = () => {
        const database = request.result;
        if (TABLES.some((table) => !database.objectStoreNames.contains(table))) {
          database.close();
          refuse("this is a database of another program: it was left as it is");
          return;
        }
        const forget = (): void => {
          this.#opening = undefined;
        };
        database.onclose = forget;
        database.onversionchange = () => {
          database.close(); // a newer page waits for it
          forget();
        };
        resolve(database);
      };
    });
  }
}

/** The first version of the schema. */
function create(database: IDBDatabase): void {
  database.createObjectStore("state").put({ application: APPLICATION, revision: 0 } satisfies State, "state");
  const memories = database.createObjectStore("memories", { autoIncrement: true });
  memories.createIndex("id", "id", { unique: true });
  memories.createIndex("terms", "terms", { multiEntry: true });
  database.createObjectStore("turns", { autoIncrement: true });
}

/** What a request gives. A transaction stays open while one of its requests is waited for. */
function answer<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = (event) => {
      event.preventDefault(); // whoever waits hears of it, and ends the transaction
      reject(request.error);
    };
  });
}

async function byId(memories: IDBObjectStore, ids: readonly string[]): Promise<StoredMemory[]> {
  const index = memories.index("id");
  const places = await Promise.all([...new Set(ids)].map((id) => answer(index.getKey(id))));
  const known = places.filter((place) => place !== undefined).sort((one, other) => Number(one) - Number(other));
  return Promise.all(known.map((place) => answer<StoredMemory>(memories.get(place))));
}

function newest(table: IDBObjectStore, count: number): Promise<TurnRecord[]> {
  return new Promise((resolve, reject) => {
    const found: TurnRecord[] = [];
    const request = table.openCursor(null, "prev");
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor || found.length >= count) {
        resolve(found.reverse());
        return;
      }
      found.push(cursor.value as TurnRecord);
      cursor.continue();
    };
  });
}
