/** The page's service worker: the whole page without a network. */
import { type OfflineFiles, serveOffline } from "../src/offline.ts";

/** Put in when the bundle is whole: build_scripts/offline.py. */
declare const __EDGEGATE_FILES__: OfflineFiles;

serveOffline({ base: new URL("./", location.href), files: __EDGEGATE_FILES__, name: "edgegate page" });
