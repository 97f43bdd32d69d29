/** The settings of a deployment, read from its bindings. What can't be right is refused with its name. */
import { Refusal, SERVER } from "./answers.ts";

/** The bindings as the runtime gives them: texts, objects of its own, or nothing. */
export type Bindings = Record<string, unknown>;

/** The text of a binding; empty where there is none. */
export function textOf(bindings: Bindings, name: string): string {
  const value = bindings[name];
  return typeof value === "string" ? value : "";
}

export interface Settings {
  /** The address of the model's server up to `/v1`, without a slash at its end; empty where there is none. */
  upstream: string;
  upstreamKey: string;
  maxBodyBytes: number;
  maxStreams: number;
  maxSeconds: number;
  /** The header that names the user, set by whatever stands before the worker; empty where all share one memory. */
  userHeader: string;
}

function number(bindings: Bindings, name: string, otherwise: number): number {
  const text = textOf(bindings, name);
  if (text === "") return otherwise;
  const value = Number(text);
  if (!(value > 0)) throw new Refusal(503, "not_configured", `${name} must be a number above 0`, SERVER);
  return value;
}

export function readSettings(bindings: Bindings): Settings {
  const upstream = textOf(bindings, "UPSTREAM_URL").replace(/\/+$/, "");
  if (upstream !== "" && !/^https?:\/\//.test(upstream)) {
    throw new Refusal(503, "not_configured", "UPSTREAM_URL must begin with http:// or https://", SERVER);
  }
  const userHeader = textOf(bindings, "USER_HEADER");
  if (userHeader !== "" && !/^[A-Za-z0-9-]+$/.test(userHeader)) {
    throw new Refusal(503, "not_configured", "USER_HEADER must be the name of a header", SERVER);
  }
  return {
    upstream,
    upstreamKey: textOf(bindings, "UPSTREAM_KEY"),
    maxBodyBytes: number(bindings, "MAX_BODY_BYTES", 1_000_000),
    maxStreams: number(bindings, "MAX_STREAMS", 1000),
    maxSeconds: number(bindings, "MAX_SECONDS", 300),
    userHeader,
  };
}
