/** What the build knows and the loader checks: versions, and the hash and size of every asset that is fetched. */
declare const __EDGEGATE__: {
  version: string;
  pyodide: string;
  lexicon: string;
  snapshot: string;
  assets: Record<AssetName, Asset>;
};

/** The assets a loader fetches, by what they are. A start needs `wasm` and `snapshot`; the others are its fallback. */
export type AssetName = "wasm" | "snapshot" | "stdlib" | "core";

/** One asset: its path below the package, its size in bytes, and its SHA-256 in hexadecimal. */
export interface Asset {
  path: string;
  bytes: number;
  sha256: string;
}

/**
 * The version of this package, of the Pyodide it was built with, the hash of its lexicons, the build id that its
 * snapshot carries, and its assets.
 */
export const BUILD = __EDGEGATE__;
