/** The part of the runtime's own module that is used here. */
declare module "cloudflare:workers" {
  /** A row: a value for each column. */
  type SqlValue = string | number | null | ArrayBuffer;

  interface SqlCursor extends Iterable<Record<string, SqlValue>> {
    toArray(): Record<string, SqlValue>[];
    one(): Record<string, SqlValue>;
  }

  export interface DurableObjectState {
    readonly storage: {
      readonly sql: { exec(query: string, ...bindings: SqlValue[]): SqlCursor; readonly databaseSize: number };
      /** Runs `work` as one transaction, or as a part of the one that is open; what it throws rolls it back. */
      transactionSync<T>(work: () => T): T;
      /** Waits until everything written is on the disk. */
      sync(): Promise<void>;
    };
  }

  /** An object whose methods are called from elsewhere, one object for each name. */
  export abstract class DurableObject<Bindings = unknown> {
    protected readonly ctx: DurableObjectState;
    protected readonly env: Bindings;
    constructor(ctx: DurableObjectState, env: Bindings);
  }
}
