/**
 * The errors a host throws. Those of the core carry the core's own code; those of the host say what could not start.
 *
 * `code` is a short stable word a program can test; `where` names the place (a field, an asset), or is null.
 */
export class EdgegateError extends Error {
  readonly code: string;
  readonly where: string | null;

  constructor(message: string, code = "error", where: string | null = null) {
    super(where === null ? message : `${where}: ${message}`);
    this.name = new.target.name;
    this.code = code;
    this.where = where;
  }
}

/** A call that can't be right: an unknown option, a stream that was closed, an unknown handle. */
export class UsageError extends EdgegateError {
  constructor(message: string, where: string | null = null) {
    super(message, "usage", where);
  }
}

/** Data that can't be read: evidence of a wrong shape, a turn without text. */
export class DataError extends EdgegateError {
  constructor(message: string, where: string | null = null) {
    super(message, "data", where);
  }
}

/** A store that refused or failed. */
export class StoreError extends EdgegateError {
  constructor(message: string, where: string | null = null, code = "store") {
    super(message, code, where);
  }
}

/** The store has moved on since a commit was planned. Nothing of it was kept: it is planned again. */
export class StaleError extends StoreError {
  constructor(message: string, where: string | null = null) {
    super(message, where, "stale");
  }
}

/** The core, or the thread it runs in, broke. What it was judging must not be shown. */
export class CoreError extends EdgegateError {
  constructor(message: string, where: string | null = null) {
    super(message, "internal", where);
  }
}

/** Something that edgegate needs to start could not be had; `where` names it. */
export class LoadError extends EdgegateError {
  constructor(message: string, where: string | null = null, code = "load") {
    super(message, code, where);
  }
}

/** An asset is not the one this build was made with: damaged, cut short, or of another version. Nothing was started. */
export class IntegrityError extends LoadError {
  constructor(message: string, where: string | null = null) {
    super(message, where, "integrity");
  }
}

/** An error as it crosses a border: plain data. */
export interface ErrorData {
  code: string;
  message: string;
  where: string | null;
}

const KINDS: Record<string, new (message: string, where: string | null) => EdgegateError> = {
  usage: UsageError,
  data: DataError,
  store: StoreError,
  stale: StaleError,
  internal: CoreError,
  load: LoadError,
  integrity: IntegrityError,
};

/** The typed error that `data` describes. */
export function readError(data: ErrorData): EdgegateError {
  const kind = KINDS[data.code];
  return kind ? new kind(data.message, data.where) : new EdgegateError(data.message, data.code, data.where);
}

/** The plain data of any error, so that it can cross a border. */
export function writeError(error: unknown): ErrorData {
  if (error instanceof EdgegateError) {
    const prefix = error.where === null ? "" : `${error.where}: `;
    return { code: error.code, message: error.message.slice(prefix.length), where: error.where };
  }
  return { code: "internal", message: error instanceof Error ? `${error.name}: ${error.message}` : String(error), where: null };
}
