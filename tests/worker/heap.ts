// For the test beside it: answers with the hash of the memory that the snapshot was restored to, and with what the core that
// lives in it says to the requests in the body.
import { startCore } from "../../worker/src/core.ts";
import { hexadecimal } from "../../web/src/snapshot.ts";

let memory: Uint8Array<ArrayBuffer> | undefined;
const core = await startCore({
  onMemory: (found, restored) => {
    if (restored) memory = found.slice() as Uint8Array<ArrayBuffer>;
  },
});
const heap = hexadecimal(new Uint8Array(await crypto.subtle.digest("SHA-256", memory!)));

export default {
  async fetch(request: Request): Promise<Response> {
    const requests = request.method === "POST" ? ((await request.json()) as string[]) : [];
    return Response.json({ heap, answers: requests.map((each) => core.call(each)) });
  },
};
