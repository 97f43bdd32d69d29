/**
 * Serving one build without a network: every file is kept under its hash's word, and no two builds ever mix.
 *
 * A build has a cache of its own. It is filled before the build takes over, and only with files whose hash is the one in the
 * build's list; a file that is not, or that can't be had, and the build that was there before stays in charge. A build takes
 * over when no page of the one before is open, or when the only open page asks for it.
 */

/** What is kept: every file by its path below the base, with its SHA-256 in hexadecimal. */
export type OfflineFiles = Record<string, { sha256: string }>;

/** What to serve, and from where. */
export interface OfflineOptions {
  /** Where the files stand: a URL that ends with a slash. */
  base: string | URL;
  files: OfflineFiles;
  /** Begins the names of the caches. Others' caches are never touched. */
  name?: string;
  /** The file that answers for the base itself. */
  index?: string;
}

/** What the only open page sends to a build that waits, to have it take over. */
export const TAKE_OVER = "edgegate: take over";

// TypeScript's DOM library knows pages; this is the part of a service worker's own scope that is used here.
interface WaitingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchingEvent extends WaitingEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface WorkerScope {
  readonly clients: { matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<unknown[]> };
  skipWaiting(): Promise<void>;
  addEventListener(kind: "install" | "activate", listener: (event: WaitingEvent) => void): void;
  addEventListener(kind: "message", listener: (event: WaitingEvent & { data: unknown }) => void): void;
  addEventListener(kind: "fetch", listener: (event: FetchingEvent) => void): void;
}

async function sha256Of(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Sets up the service worker that this runs in. Call it while its script runs, not later. */
export function serveOffline({ base, files, name = "edgegate", index = "index.html" }: OfflineOptions): void {
  const scope = globalThis as unknown as WorkerScope;
  const root = new URL(base);
  const prefix = `${name}: ${root.pathname}: `;
  const cacheName = sha256Of(new TextEncoder().encode(JSON.stringify(files))).then((hash) => prefix + hash);

  const addressOf = (path: string): string => new URL(path, root).href;

  /** The file as this build wants it: from `found`, when that is it; else null. */
  async function checked(path: string, found: Response | undefined): Promise<Response | null> {
    if (!found?.ok) return null;
    const bytes = await found.arrayBuffer();
    if ((await sha256Of(bytes)) !== files[path]!.sha256) return null;
    return new Response(bytes, { headers: found.headers });
  }

  async function fetched(path: string): Promise<Response> {
    const file = await checked(path, await fetch(addressOf(path), { cache: "no-cache", credentials: "same-origin" }));
    if (!file) throw new Error(`${path} is not the one of this build`);
    return file;
  }

  async function install(): Promise<void> {
    const fresh = await caches.open(await cacheName);
    const others: Cache[] = [];
    for (const key of await caches.keys()) {
      if (key.startsWith(prefix)) others.push(await caches.open(key)); // this build's own too: an install that broke off
    }
    const keep = async (path: string): Promise<void> => {
      for (const cache of others) {
        const file = await checked(path, await cache.match(addressOf(path)));
        if (file) return fresh.put(addressOf(path), file);
      }
      return fresh.put(addressOf(path), await fetched(path));
    };
    // A few at a time: a phone need not hold them all at once.
    const waiting = Object.keys(files);
    const lanes = Array.from({ length: 4 }, async () => {
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) await keep(path);
    });
    await Promise.all(lanes);
  }

  async function activate(): Promise<void> {
    const own = await cacheName;
    for (const key of await caches.keys()) {
      if (key.startsWith(prefix) && key !== own) await caches.delete(key);
    }
  }

  async function answer(path: string): Promise<Response> {
    const cache = await caches.open(await cacheName);
    const kept = await cache.match(addressOf(path));
    if (kept) return kept;
    try {
      // The browser threw it away to make room. What the server has by now may be of another build: that is refused.
      const file = await fetched(path);
      await cache.put(addressOf(path), file.clone());
      return file;
    } catch {
      return Response.error();
    }
  }

  /**
   * The page itself carries the server's policy in its headers, and that may change while the text stays. So it is asked for
   * again behind the visitor's back, and the next visit has what the server says now.
   */
  async function renew(path: string): Promise<void> {
    const file = await fetched(path).catch(() => null); // no network, or another build: what is kept stays
    if (file) await (await caches.open(await cacheName)).put(addressOf(path), file);
  }

  scope.addEventListener("install", (event) => event.waitUntil(install()));
  scope.addEventListener("activate", (event) => event.waitUntil(activate()));
  scope.addEventListener("message", (event) => {
    if (event.data !== TAKE_OVER) return;
    const pages = scope.clients.matchAll({ type: "window", includeUncontrolled: true });
    event.waitUntil(pages.then((open) => (open.length <= 1 ? scope.skipWaiting() : undefined)));
  });
  scope.addEventListener("fetch", (event) => {
    const url = new URL(event.request.url);
    if (event.request.method !== "GET" || url.origin !== root.origin || !url.pathname.startsWith(root.pathname)) return;
    const path = decodeURI(url.pathname.slice(root.pathname.length)) || index;
    if (!Object.hasOwn(files, path)) return;
    event.respondWith(answer(path));
    if (path === index) event.waitUntil(renew(path));
  });
}
