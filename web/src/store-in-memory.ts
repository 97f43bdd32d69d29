/** A store that lives as long as the page or the process: for tests, for chats that are not kept, for trying things out. */
import type { Applied, Commit, StoredMemory, StoreSnapshot, TurnRecord } from "./protocol.ts";
import { type LoadOptions, MOST_FOUND, rankByTerms, refuseUnkeepable, type Store } from "./store.ts";

/** Memories in this thread's own memory, with an index of their terms. Begins with what `held` holds, or empty. */
export class InMemoryStore implements Store {
  #revision = 0;
  readonly #memories = new Map<string, StoredMemory>();
  readonly #holders = new Map<string, Set<string>>();
  readonly #turns: TurnRecord[] = [];

  constructor(held?: StoreSnapshot) {
    this.#revision = held?.revision ?? 0;
    this.#turns.push(...(held?.turns ?? []));
    for (const memory of held?.memories ?? []) this.#list(memory);
  }

  async load({ turns = 0, ids }: LoadOptions = {}): Promise<StoreSnapshot> {
    const wanted = ids ? new Set(ids) : undefined;
    const memories = [...this.#memories.values()].filter(({ id }) => !wanted || wanted.has(id));
    return { revision: this.#revision, memories, turns: turns > 0 ? this.#turns.slice(-turns) : [] };
  }

  async find(terms: readonly string[], limit = MOST_FOUND): Promise<StoreSnapshot> {
    const holders = [...new Set(terms)].map((term) => [...(this.#holders.get(term) ?? [])]);
    const best = rankByTerms(holders, this.#memories.size, limit);
    return { revision: this.#revision, memories: best.map((id) => this.#memories.get(id)!), turns: [] };
  }

  async apply(commit: Commit): Promise<Applied> {
    refuseUnkeepable(commit, this.#revision);
    const deleted = [...new Set(commit.delete)].filter((id) => this.#memories.has(id));
    for (const id of deleted) {
      this.#unlist(id);
      this.#memories.delete(id);
    }
    for (const memory of commit.put) {
      this.#unlist(memory.id);
      this.#list(memory);
    }
    if (commit.turn) this.#turns.push(commit.turn);
    this.#revision += 1;
    return { revision: this.#revision, put: commit.put.map(({ id }) => id), deleted, erased: true };
  }

  #list(memory: StoredMemory): void {
    this.#memories.set(memory.id, memory);
    for (const term of memory.terms) {
      const holders = this.#holders.get(term);
      if (holders) holders.add(memory.id);
      else this.#holders.set(term, new Set([memory.id]));
    }
  }

  #unlist(id: string): void {
    for (const term of this.#memories.get(id)?.terms ?? []) {
      const holders = this.#holders.get(term);
      holders?.delete(id);
      if (holders?.size === 0) this.#holders.delete(term);
    }
  }
}
