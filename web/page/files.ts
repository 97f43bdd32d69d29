/** The page's own data files: beside it on the server, or inside it where the whole page is one file. */

/** The JSON file at `path`, a path below the page. */
export async function readJson<T>(path: string): Promise<T> {
  const inside = document.getElementById(`file:${path}`);
  if (inside) return JSON.parse(inside.textContent) as T;
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} could not be loaded (status ${response.status})`);
  return (await response.json()) as T;
}
