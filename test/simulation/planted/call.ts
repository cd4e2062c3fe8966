/** Input or answer of a call, as JSON. */
export type CallInput = Record<string, unknown>;

/** A call of a function to the local cloud. */
export interface Call {
  /** For example `PutItem`. */
  readonly operation: string;
  readonly input: CallInput;
}

/** Carries out a call. @returns its answer. */
export type SendCall = (input: CallInput) => Promise<CallInput>;

/** The part of a write that a defect changes. */
interface WriteInput {
  readonly Item?: Keyed;
  readonly Key?: Keyed;
  ConditionExpression?: string;
}

interface Keyed {
  readonly pk?: { readonly S: string };
}

/** The writes of PutItem, UpdateItem, DeleteItem or TransactWriteItems, each with the partition key of its item. */
export function writesOf(input: CallInput): { readonly key: string; readonly write: WriteInput }[] {
  const items = input.TransactItems as Record<string, WriteInput>[] | undefined;
  const writes = items?.flatMap((item) => Object.values(item)) ?? [input as WriteInput];
  return writes.map((write) => ({ key: (write.Item ?? write.Key)?.pk?.S ?? "", write }));
}
