/**
 * The package's own files without a network, for applications that have a service worker of their own:
 *
 * ```js
 * // your service worker, registered with { type: "module" }
 * import { serveEdgegate } from "./edgegate/service-worker.js";
 * serveEdgegate();
 * ```
 *
 * It answers for the files beside this one and for nothing else, and touches no cache but its own.
 *
 * @module edgegate/service-worker
 */
import { type OfflineFiles, serveOffline } from "./offline.ts";

export { serveOffline, TAKE_OVER, type OfflineFiles, type OfflineOptions } from "./offline.ts";

/** Put in when the bundle is whole: build_scripts/offline.py. */
declare const __EDGEGATE_FILES__: OfflineFiles;

/** Keeps and serves the files of this package. Call it while the service worker's script runs. */
export function serveEdgegate(): void {
  serveOffline({ base: new URL("./", import.meta.url), files: __EDGEGATE_FILES__, name: "edgegate package" });
}
