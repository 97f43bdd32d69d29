// For the test beside it: answers with the hash of the memory that the snapshot was restored to.
import { startCore } from "../../worker/src/core.ts";
import { hexadecimal } from "../../web/src/snapshot.ts";

let memory: Uint8Array<ArrayBuffer> | undefined;
await startCore({
  onMemory: (found, restored) => {
    if (restored) memory = found.slice() as Uint8Array<ArrayBuffer>;
  },
});
const heap = hexadecimal(new Uint8Array(await crypto.subtle.digest("SHA-256", memory!)));

export default { fetch: () => new Response(JSON.stringify({ heap })) };
