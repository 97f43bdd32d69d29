/** The page's own data files: beside it on the server, or inside it where the whole page is one file. */
import type { Settings } from "./panels.ts";

/** The JSON file at `path`, a path below the page. */
export async function readJson<T>(path: string): Promise<T> {
  const inside = document.getElementById(`file:${path}`);
  if (inside) return JSON.parse(inside.textContent) as T;
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} could not be loaded (status ${response.status})`);
  return (await response.json()) as T;
}

/** What the server says of itself. A page in one file, or on another server, has none: then nothing more is allowed. */
export async function readSettings(): Promise<Settings> {
  if (location.protocol === "file:") return { endpoint: null };
  const response = await fetch("settings.json").catch(() => undefined);
  if (!response?.ok) return { endpoint: null };
  const { endpoint } = (await response.json()) as Partial<Settings>;
  return { endpoint: typeof endpoint === "string" ? endpoint : null };
}
