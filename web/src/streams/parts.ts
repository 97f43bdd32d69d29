/** The text parts of one answer, each behind a guard of its own, by the name the envelope gives it. */
import type { Edgegate } from "../client.ts";
import type { Event } from "../protocol.ts";
import type { Reply, ReplyOptions } from "../reply.ts";

/** What the texts of an answer are judged by, and how. Every part of the answer is judged by the same. */
export interface StreamOptions extends Omit<ReplyOptions, "onEvent"> {
  /** Told of every event, in order, and which part it is of ("choice 0"). */
  onEvent?: (event: Event, part: string) => void;
  /** Aborting it ends the stream: what is held is thrown away, what was shown stays. */
  signal?: AbortSignal;
}

/** The options, or what makes them from the request whose answer is to be guarded. */
export type OptionsFor<Request> = StreamOptions | ((request: Request) => StreamOptions | Promise<StreamOptions>);

/** What the stream forms need of a started edgegate. */
export type Guarding = Pick<Edgegate, "openReply">;

/** Every text part of one answer. */
export class Parts {
  readonly #edgegate: Guarding;
  readonly #options: Omit<ReplyOptions, "onEvent">;
  readonly #onEvent: StreamOptions["onEvent"];
  readonly #open = new Map<string, Reply>();
  readonly #shown = new Map<string, string>();

  constructor(edgegate: Guarding, { onEvent, signal: _signal, ...options }: StreamOptions = {}) {
    this.#edgegate = edgegate;
    this.#options = options;
    this.#onEvent = onEvent;
  }

  /** The text of `part` that is decided now that `text` came in. */
  async feed(part: string, text: string): Promise<string> {
    let reply = this.#open.get(part);
    if (!reply) {
      const tell = this.#onEvent;
      reply = this.#edgegate.openReply({ ...this.#options, ...(tell && { onEvent: (event) => tell(event, part) }) });
      this.#open.set(part, reply);
    }
    return this.#note(part, await reply.feed(text));
  }

  /** Ends `part`: the rest of its decided text; nothing where it isn't open. */
  async close(part: string): Promise<string> {
    const reply = this.#open.get(part);
    this.#open.delete(part);
    return reply ? this.#note(part, await reply.close()) : "";
  }

  /** Ends every open part: those that had text left, with it. */
  async closeAll(): Promise<[part: string, text: string][]> {
    const tails: [string, string][] = [];
    for (const part of [...this.#open.keys()]) {
      const text = await this.close(part);
      if (text !== "") tails.push([part, text]);
    }
    return tails;
  }

  /** Ends every open part and throws away what it holds. */
  async abort(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const reply of open) await reply.abort();
  }

  /** Ends `part`; its shown text. Where nothing of it came in pieces, `whole` is judged in its place. */
  async final(part: string, whole: string): Promise<string> {
    if (!this.#shown.has(part)) await this.feed(part, whole);
    await this.close(part);
    return this.#shown.get(part)!;
  }

  #note(part: string, text: string): string {
    this.#shown.set(part, (this.#shown.get(part) ?? "") + text);
    return text;
  }
}
