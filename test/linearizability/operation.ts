/** One call of a client with its place in the order of all starts and ends. */
export interface Operation {
  readonly client: string;
  readonly name: string;
  readonly args: readonly string[];
  /** Null if a fault hid the answer: the call took effect or not, at any time after its start. */
  readonly result: readonly string[] | null;
  readonly invokedAt: number;
  /** For a call without an answer, the end of the history. */
  readonly returnedAt: number;
}

/** The end of a call without an answer. */
export const END_OF_HISTORY = Number.MAX_SAFE_INTEGER;

/** What the specifications describe. */
const objectKinds = ["users", "connections", "orders", "receipts", "samples", "feed", "endpoints"] as const;
export type ObjectKind = (typeof objectKinds)[number];

/** The operations on one object: a set of users, a receipt, a feed. */
export interface History {
  readonly kind: ObjectKind;
  /** The object, with the seed that gives it again. */
  readonly object: string;
  readonly operations: readonly Operation[];
}

/** One line for the report of a refused history. */
export function describeOperation({ client, name, args, result, invokedAt, returnedAt }: Operation): string {
  const end = result === null ? "end" : returnedAt;
  return `[${invokedAt}, ${end}] ${client}: ${name}(${args.join(", ")}) -> ${result?.join(" ") ?? "no answer"}`;
}
