/** Memory in the chat: what comes to mind for a message goes in, what the message asks to keep or forget is done. */
import type { MemoryOutcome, TurnInput } from "edgegate";

import { count, element } from "./dom.ts";
import type { Value } from "./feed.ts";
import { type Keeper, keeperOf } from "./kept-keeper.ts";
import { candidatesOf, outcomeOf } from "./kept-outcome.ts";
import { memorySwitches } from "./kept-switches.ts";
import type { PanelContext } from "./panels.ts";

/** What memory has to say to one message. */
export interface Heard {
  /** What came to mind: evidence, and for the prompt. */
  readonly memories: readonly string[];
  /** What memory did: evidence of this turn only. */
  readonly writes: readonly string[];
  /** What memory says to a request to forget: for the prompt, as it is. */
  readonly words: string;
  /** What a person is shown below the message, if anything. */
  readonly note: HTMLElement | null;
  /** To be called when the reply has come: marks what came to mind. */
  answered(): void;
}

const SILENT: Heard = { memories: [], writes: [], words: "", note: null, answered() {} };

/** Memory for one chat. `node` holds its switches, once the store is open. */
export class ChatMemory {
  readonly node = element("div", "kept-in-chat");
  readonly #keeper: Promise<Keeper>;
  #saves: Value<boolean> | undefined;

  constructor(id: string, context: PanelContext) {
    this.#keeper = keeperOf(context);
    void this.#keeper.then((keeper) => {
      const { node, saves } = memorySwitches(`${id}-memory`, keeper);
      this.#saves = saves;
      this.node.append(node);
    });
  }

  /** Reads a user's message before the model is asked. `earlier` are the turns before it. Never fails: it says so in `note`. */
  async hear(message: string, earlier: readonly TurnInput[]): Promise<Heard> {
    try {
      const keeper = await this.#keeper;
      const memory = await keeper.memory(this.#saves?.now ?? true);
      const found = await memory.recall(message);
      const last = earlier.at(-1);
      const said = last && "role" in last && last.role === "assistant" ? last.content : null;
      const outcome = await memory.turn(message, { said, in_prompt: found.length });
      if (outcome.applied) keeper.wrote();
      return {
        memories: found.map(({ memory: { text } }) => text),
        writes: outcome.writes,
        words: outcome.turn.operation === "forget" ? outcome.words : "",
        note: await noteOf(outcome, found.length, keeper),
        answered() {
          if (found.length === 0) return;
          memory.refresh(found.map(({ memory: { id } }) => id), { in_prompt: found.length }).then(() => keeper.changed.tell(), () => {});
        },
      };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { ...SILENT, note: element("p", "error", `Memory did nothing: ${why}`) };
    }
  }
}

async function noteOf(outcome: MemoryOutcome, found: number, keeper: Keeper): Promise<HTMLElement | null> {
  const done = outcomeOf(outcome);
  const forget = async (id: string): Promise<void> => {
    const { words } = await (await keeper.own()).delete([id]);
    keeper.wrote();
    made.replaceChildren(element("p", "", words));
  };
  const meant = candidatesOf(outcome, (await keeper.load()).memories, ({ id }) => void forget(id));
  const recalled = found > 0 ? element("p", "hint", `${count(found, "memory", "memories")} came to mind.`) : null;
  if (!done && !meant && !recalled) return null;
  const made = element("div", "kept-note", recalled, done, meant);
  return made;
}
