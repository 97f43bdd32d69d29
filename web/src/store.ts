/**
 * Where memories are kept: the three things every store can do, the same as in Python (edgegate/stores/records.py).
 *
 * A store knows nothing of language: the terms it can be searched by come with every memory. It is handed commits that the
 * core has planned, and keeps each whole or not at all, only on the revision it was planned on. The contract that every store
 * is held to is tests/data/host/store.json.
 */
import { StaleError, StoreError } from "./errors.ts";
import { type Applied, type Commit, KEPT_VERDICTS, type StoreSnapshot } from "./protocol.ts";

/** What is asked of a store at once: the latest `turns` turn records with it, only the memories with these `ids`. */
export interface LoadOptions {
  turns?: number;
  ids?: readonly string[] | null;
}

/** Memories that `find` gives where the caller names no number. */
export const MOST_FOUND = 64;

/** A place where memories are kept. What it gives is plain data, which nobody changes. */
export interface Store {
  /** Everything kept, or what is kept of `ids`, in the order it came, and the latest turn records, oldest first. */
  load(options?: LoadOptions): Promise<StoreSnapshot>;
  /** The memories that have any of `terms`, those with more and rarer ones first, at most `limit`. */
  find(terms: readonly string[], limit?: number): Promise<StoreSnapshot>;
  /**
   * Keeps a commit whole and answers when it is kept for good. Throws StaleError when the store is at another revision than
   * `commit.base`, StoreError for whatever else went wrong; then nothing of it was kept.
   */
  apply(commit: Commit): Promise<Applied>;
}

/** Throws where a commit may not be applied to a store at `revision`: it is stale, or holds a row that may not be kept. */
export function refuseUnkeepable(commit: Commit, revision: number): void {
  if (commit.base !== revision) {
    throw new StaleError(
      `this commit was planned on revision ${commit.base} and the store is at ${revision}: plan it again`,
      "commit.base",
    );
  }
  for (const [place, memory] of commit.put.entries()) {
    const where = `commit.put[${place}]`;
    if (!KEPT_VERDICTS.includes(memory.verdict)) {
      throw new StoreError(`a memory with the verdict ${memory.verdict} is never kept`, where);
    }
    if (!memory.id || !memory.text) throw new StoreError("a memory needs an id and a text", where);
  }
}

/**
 * The keys of what has any of the terms, those with more and rarer ones first, at most `limit`. `holders` are the keys of
 * what has each term, among `total` in all.
 */
export function rankByTerms<Key>(holders: readonly (readonly Key[])[], total: number, limit: number): Key[] {
  const scores = new Map<Key, number>();
  for (const keys of holders) {
    const weight = Math.log(1 + total / Math.max(keys.length, 1));
    for (const key of keys) scores.set(key, (scores.get(key) ?? 0) + weight);
  }
  return [...scores].sort((one, other) => other[1] - one[1]).slice(0, Math.max(limit, 0)).map(([key]) => key);
}
