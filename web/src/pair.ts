/**
 * A pair of web streams over three steps: what comes in, what is passed on, how it ends.
 *
 * A plain TransformStream throws away what it holds when its input breaks; the guard's rule is that a reply that breaks
 * off leaves exactly the decided text. So this is a pair of its own, with one queue between: what was decided is always
 * delivered, and only then the end, or the error. The next piece is taken when the reader has what was decided.
 */
import { UsageError } from "./errors.ts";

/** What stands between the two streams. No step starts before the one before it is done. */
export interface Steps<Input, Output> {
  /** One piece came in: what is passed on after it. */
  take(chunk: Input): Promise<Output[]>;
  /** The input ended, or broke: what is still held is decided. */
  close(): Promise<Output[]>;
  /** Someone asked to stop: what is still held is thrown away. */
  abort(): Promise<void>;
}

/** The pair over `steps`. Aborting `signal` ends it with the signal's reason. */
export function pairOf<Input, Output>(
  steps: Steps<Input, Output>,
  signal?: AbortSignal,
): ReadableWritablePair<Output, Input> {
  const queue: Output[] = []; // decided, on its way to the reader
  let ending: { error?: unknown } | undefined; // set when nothing more can come
  let stopped: Promise<void> | undefined; // the one end, whoever asked for it first
  let turn: Promise<unknown> = Promise.resolve();
  let wakeReader = (): void => {};
  let wakeWriter = (): void => {};

  /** Runs one step when those before it are done, and queues what it gives. */
  function step(work: () => Promise<Output[] | void>): Promise<void> {
    const done = turn.then(async () => {
      for (const output of (await work()) ?? []) queue.push(output);
      wakeReader();
    });
    turn = done.catch(() => {});
    return done;
  }

  /** Ends the pair once. With `reason`, the reader gets that error after all that was decided. */
  function finish(work: () => Promise<Output[] | void>, reason?: { error: unknown }): Promise<void> {
    stopped ??= (async () => {
      try {
        await step(work);
        ending = reason ?? {};
      } catch (error) {
        ending = { error }; // the core broke: nothing more is shown
        throw error;
      } finally {
        signal?.removeEventListener("abort", stop);
        wakeReader();
        wakeWriter();
      }
    })();
    return stopped;
  }

  let breakInput = (_reason: unknown): void => {};
  function stop(): void {
    void finish(() => steps.abort(), { error: signal?.reason }).catch(() => {});
    breakInput(signal?.reason);
  }

  const readable = new ReadableStream<Output>(
    {
      async pull(controller) {
        for (;;) {
          if (queue.length > 0) {
            controller.enqueue(queue.shift()!);
            if (queue.length === 0) wakeWriter();
            return;
          }
          if (ending) {
            if ("error" in ending) controller.error(ending.error);
            else controller.close();
            return;
          }
          await new Promise<void>((resolve) => {
            wakeReader = resolve;
          });
        }
      },
      async cancel(reason) {
        breakInput(reason);
        await finish(() => steps.abort());
        queue.length = 0;
        wakeWriter();
      },
    },
    { highWaterMark: 0 },
  );

  const writable = new WritableStream<Input>({
    start(controller) {
      breakInput = (reason) => controller.error(reason);
    },
    async write(chunk) {
      if (stopped) throw new UsageError("this reply has ended", "replyGuard");
      try {
        await step(() => steps.take(chunk));
      } catch (error) {
        await finish(() => steps.abort().then(() => Promise.reject(error))).catch(() => {});
        throw error;
      }
      while (queue.length > 0 && !ending) {
        await new Promise<void>((resolve) => {
          wakeWriter = resolve;
        });
      }
    },
    close: () => finish(() => steps.close()),
    abort(reason) {
      // What broke on the way to us is not what the caller asked for: the held tail is decided like any sentence. Only an
      // abort that someone asked for throws it away.
      const asked = reason instanceof DOMException && reason.name === "AbortError";
      return finish(() => (asked ? steps.abort() : steps.close()), { error: reason });
    },
  });

  if (signal?.aborted) stop();
  else signal?.addEventListener("abort", stop, { once: true });
  return { readable, writable };
}
