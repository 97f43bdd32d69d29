/**
 * Where the memories of one user are kept: a Durable Object, one for each user, with a SQLite file of its own.
 *
 * A script apart from the worker that answers requests, so that an object is there in milliseconds and never holds a Python.
 * It knows nothing of language: it keeps commits that the core has planned, each whole or not at all, only on the revision it
 * was planned on. The schema itself refuses a row without a verdict that may be kept.
 *
 * The platform allows neither SQLite's own erasing (`secure_delete`, `VACUUM`) nor a hand on its log. So a commit that deletes
 * copies what stays to clean pages, and then every page that became free is overwritten with zeros. Until that is done, the
 * file says so, and the next start does it.
 */
import { DurableObject, type DurableObjectState } from "cloudflare:workers";

import { type ErrorData, StoreError, writeError } from "../../web/src/errors.ts";
import { type Applied, type Commit, KEPT_VERDICTS, type StoredMemory, type StoreSnapshot, type TurnRecord } from "../../web/src/protocol.ts";
import { type LoadOptions, MOST_FOUND, rankByTerms, refuseUnkeepable } from "../../web/src/store.ts";

/** What an object answers: an error crosses to another script only as data. */
export type Answer<T> = { ok: true; result: T } | { ok: false; error: ErrorData };

/** Settings of the objects, as texts. */
export interface MemoryBindings {
  /** How many memories one user may have. */
  MAX_MEMORIES?: string | null;
}

/** How many memories one user may have where the setting is not given. */
const MOST_MEMORIES = 1000;
/** How many records of turns are kept: the newest. */
const MOST_TURNS = 1000;
const SCHEMA = 1;
/** The size of a page of the file, in bytes, and how many pages the tree above the rows may need for a moment. */
const PAGE = 4096;
const SPARE = 16;

const COLUMNS = `place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE CHECK (id <> ''), text TEXT NOT NULL CHECK (text <> ''),
  kind TEXT NOT NULL, verdict TEXT NOT NULL CHECK (verdict IN (${KEPT_VERDICTS.map((verdict) => `'${verdict}'`).join(", ")})),
  record TEXT NOT NULL`;

const LISTED = "(SELECT value FROM json_each(?))";

/** The store of one user. */
export class Memories extends DurableObject<MemoryBindings> {
  constructor(ctx: DurableObjectState, env: MemoryBindings) {
    super(ctx, env);
    // A process that was killed between a commit that deletes and the overwriting of what became free.
    this.#answer(() => {
      if (this.#made() && Number(this.#state()["swept"]) === 0) this.#sweep();
    });
  }

  /** Everything kept, or what is kept of `ids`, in the order it came, and the latest turn records, oldest first. */
  load({ turns = 0, ids }: LoadOptions = {}): Answer<StoreSnapshot> {
    return this.#answer(() => {
      const revision = this.#revision();
      if (revision === 0) return { revision, memories: [], turns: [] };
      const rows = ids
        ? this.#rows(`SELECT * FROM memories WHERE id IN ${LISTED} ORDER BY place`, JSON.stringify(ids))
        : this.#rows("SELECT * FROM memories ORDER BY place");
      const latest = this.#rows("SELECT record FROM turns ORDER BY number DESC LIMIT ?", Math.max(turns, 0));
      return {
        revision,
        memories: rows.map(memoryOf),
        turns: latest.reverse().map((row) => JSON.parse(String(row["record"])) as TurnRecord),
      };
    });
  }

  /** The memories that have any of `terms`, those with more and rarer ones first, at most `limit`. */
  find(terms: readonly string[], limit = MOST_FOUND): Answer<StoreSnapshot> {
    return this.#answer(() => {
      const revision = this.#revision();
      if (revision === 0) return { revision, memories: [], turns: [] };
      // No index of the words: it would hold them a second time, in places that can't be overwritten.
      const wanted = new Map(terms.map((term) => [term, [] as number[]]));
      const kept = this.#rows("SELECT * FROM memories ORDER BY place").map(memoryOf);
      for (const [place, { terms: own }] of kept.entries()) for (const term of new Set(own)) wanted.get(term)?.push(place);
      const best = rankByTerms([...wanted.values()], kept.length, limit);
      return { revision, memories: best.map((place) => kept[place]!), turns: [] };
    });
  }

  /** Keeps a commit whole, or nothing of it. The answer leaves when it is on the disk. */
  async apply(commit: Commit): Promise<Answer<Applied>> {
    const answer = this.#answer(() => this.ctx.storage.transactionSync(() => this.#keep(commit)));
    if (answer.ok && answer.result.deleted.length > 0) {
      await this.ctx.storage.sync(); // the pages become free with the end of that transaction
      this.#answer(() => this.#sweep()); // the commit stands; what can't be overwritten now is at the next start
    }
    return answer;
  }

  #keep(commit: Commit): Applied {
    if (!this.#made()) this.#make();
    refuseUnkeepable(commit, this.#revision());
    const going = JSON.stringify(commit.delete);
    const there = new Set(this.#rows(`SELECT id FROM memories WHERE id IN ${LISTED}`, going).map((row) => String(row["id"])));
    const deleted = [...new Set(commit.delete)].filter((id) => there.has(id));
    const table = deleted.length > 0 ? "clean" : "memories";
    if (deleted.length > 0) {
      // Before anything is freed: a page that was freed in this very transaction would come back with what stood on it.
      this.#rows(`CREATE TABLE clean (${COLUMNS})`);
      this.#rows(`INSERT INTO clean SELECT * FROM memories WHERE id NOT IN ${LISTED} ORDER BY place`, going);
    }
    let largest = 0;
    for (const memory of commit.put) {
      const { id, text, kind, verdict, ...record } = memory;
      const fields = JSON.stringify(record);
      largest = Math.max(largest, 3 * (id.length + text.length + fields.length));
      this.#rows(
        `INSERT INTO ${table} (id, text, kind, verdict, record) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
         SET text = excluded.text, kind = excluded.kind, verdict = excluded.verdict, record = excluded.record`,
        ...[id, text, kind, verdict, fields],
      );
    }
    const most = Number(this.env.MAX_MEMORIES || MOST_MEMORIES);
    const count = Number(this.#rows(`SELECT count(*) AS count FROM ${table}`)[0]!["count"]);
    if (commit.put.length > 0 && count > most) {
      throw new StoreError(`a user may have ${most} memories: forget some first`, "commit.put", "full");
    }
    if (commit.turn) this.#rows("INSERT INTO turns (record) VALUES (?)", JSON.stringify(commit.turn));
    // The most that the file can have grown to: what is in use now, and what the largest row needs while it is put.
    const reached = this.#used() + Math.ceil(largest / PAGE) + SPARE;
    if (deleted.length > 0) {
      this.#rows("DROP TABLE memories");
      this.#rows("ALTER TABLE clean RENAME TO memories");
    }
    this.#rows("DELETE FROM turns WHERE number <= (SELECT max(number) FROM turns) - ?", MOST_TURNS);
    this.#rows(
      "UPDATE state SET revision = revision + 1, pages = max(pages, ?), swept = min(swept, ?)",
      ...[reached, deleted.length > 0 ? 0 : 1],
    );
    return { revision: commit.base + 1, put: commit.put.map(({ id }) => id), deleted, erased: deleted.length === 0 };
  }

  /**
   * Overwrites every free page of the file. Tables of zeros take them all, up to the most pages that the file can have, and
   * give them back. (What is free can't be asked here, only what is in use.)
   */
  #sweep(): void {
    this.ctx.storage.transactionSync(() => {
      const pages = Number(this.#state()["pages"]);
      let tables = 0;
      const table = (): void => {
        this.#rows(`CREATE TABLE sweep${tables} (zeros BLOB)`);
        tables += 1;
      };
      table();
      for (let left = pages - this.#used(); left > SPARE; left = pages - this.#used()) {
        this.#rows("INSERT INTO sweep0 VALUES (zeroblob(?))", Math.min(left - SPARE + 1, 250) * PAGE - 100);
      }
      // The last ones one by one: the first page of a table is one page, neither less nor more.
      while (this.#used() < pages) table();
      for (let at = 0; at < tables; at += 1) this.#rows(`DROP TABLE sweep${at}`);
      this.#rows("UPDATE state SET swept = 1");
    });
  }

  /** How many pages of the file are in use. */
  #used(): number {
    return this.ctx.storage.sql.databaseSize / PAGE;
  }

  #made(): boolean {
    return this.#rows("SELECT 1 FROM sqlite_master WHERE name = 'state'").length > 0;
  }

  #make(): void {
    this.#rows(`CREATE TABLE state (one INTEGER PRIMARY KEY CHECK (one = 1), schema INTEGER NOT NULL, revision INTEGER NOT NULL,
      pages INTEGER NOT NULL, swept INTEGER NOT NULL)`);
    this.#rows("INSERT INTO state VALUES (1, ?, 0, 0, 1)", SCHEMA);
    this.#rows(`CREATE TABLE memories (${COLUMNS})`);
    this.#rows("CREATE TABLE turns (number INTEGER PRIMARY KEY, record TEXT NOT NULL)");
  }

  #state(): Row {
    const state = this.#rows("SELECT * FROM state")[0]!;
    if (Number(state["schema"]) > SCHEMA) {
      throw new StoreError(`these memories have schema version ${state["schema"]}, and this worker knows ${SCHEMA}: use a newer one`);
    }
    return state;
  }

  /** The revision; 0 where nothing was ever kept. */
  #revision(): number {
    return this.#made() ? Number(this.#state()["revision"]) : 0;
  }

  #rows(query: string, ...values: (string | number)[]): Row[] {
    return this.ctx.storage.sql.exec(query, ...values).toArray();
  }

  /** What `work` gives, or its failure as data. What SQLite says of a query is no text of a memory. */
  #answer<T>(work: () => T): Answer<T> {
    try {
      return { ok: true, result: work() };
    } catch (error) {
      const known = error instanceof StoreError ? error : new StoreError(`nothing was kept: ${error instanceof Error ? error.message : error}`);
      return { ok: false, error: writeError(known) };
    }
  }
}

type Row = Record<string, string | number | null | ArrayBuffer>;

function memoryOf(row: Row): StoredMemory {
  const { id, text, kind, verdict } = row;
  return { ...JSON.parse(String(row["record"])), id, text, kind, verdict } as StoredMemory;
}

export default { fetch: (): Response => new Response("memories are asked through their worker\n", { status: 404 }) };
