/** The settings of a deployment, read from its bindings. What can't be right is refused with its name. */
import { Refusal, SERVER } from "./answers.ts";

/** The bindings as the runtime gives them: texts, or nothing. */
export type Bindings = Record<string, string | null | undefined>;

export interface Settings {
  /** The address of the model's server up to `/v1`, without a slash at its end; empty where there is none. */
  upstream: string;
  upstreamKey: string;
  maxBodyBytes: number;
  maxStreams: number;
  maxSeconds: number;
}

function number(bindings: Bindings, name: string, otherwise: number): number {
  const text = bindings[name];
  if (text === null || text === undefined || text === "") return otherwise;
  const value = Number(text);
  if (!(value > 0)) throw new Refusal(503, "not_configured", `${name} must be a number above 0`, SERVER);
  return value;
}

export function readSettings(bindings: Bindings): Settings {
  const upstream = (bindings["UPSTREAM_URL"] ?? "").replace(/\/+$/, "");
  if (upstream !== "" && !/^https?:\/\//.test(upstream)) {
    throw new Refusal(503, "not_configured", "UPSTREAM_URL must begin with http:// or https://", SERVER);
  }
  return {
    upstream,
    upstreamKey: bindings["UPSTREAM_KEY"] ?? "",
    maxBodyBytes: number(bindings, "MAX_BODY_BYTES", 1_000_000),
    maxStreams: number(bindings, "MAX_STREAMS", 1000),
    maxSeconds: number(bindings, "MAX_SECONDS", 300),
  };
}
