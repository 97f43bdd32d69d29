/** Reading JSON whose shape is known only in part. */

/** A JSON object whose fields may be anything. */
export type Json = Record<string, unknown>;

/** Whether `value` is a JSON object. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value, where it is a list, else an empty one. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The items of a list, each through `change`, one after the other. */
export async function mapInTurn<T>(items: readonly T[], change: (item: T, at: number) => Promise<T>): Promise<T[]> {
  const changed: T[] = [];
  for (const [at, item] of items.entries()) changed.push(await change(item, at));
  return changed;
}
