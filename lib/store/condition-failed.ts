import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import type { Item } from "./item.ts";

/** The condition of a write failed. `items` contains the stored items by position in the transaction. */
export class ConditionFailed extends Error {
  readonly items: ReadonlyMap<number, Item>;

  constructor(items: ReadonlyMap<number, Item>, options?: ErrorOptions) {
    super("The condition of the write failed.", options);
    this.name = "ConditionFailed";
    this.items = items;
  }
}

/** Converts the strings, numbers and string sets of a raw item: enough to explain a failed condition. */
export function toPlainItem(raw: Record<string, { S?: string; N?: string; SS?: string[] }> | undefined): Item {
  const entries = Object.entries(raw ?? {}).map(
    ([name, { S, N, SS }]) => [name, S ?? (SS ? new Set(SS) : Number(N))] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => !Number.isNaN(value)));
}

/** Awaits a single write. @throws ConditionFailed if its condition failed. */
export async function mapConditionFailure<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw new ConditionFailed(new Map([[0, toPlainItem(error.Item)]]), { cause: error });
  }
}

/** Awaits a conditional write. @returns its result; undefined if its condition failed. */
export async function unlessConditionFailed<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

/** Awaits a conditional write. @returns whether its condition held. */
export const isConditionMet = async (write: Promise<unknown>): Promise<boolean> =>
  (await unlessConditionFailed(write.then(() => true))) ?? false;

/** Awaits a conditional write. @throws the error that `explain` returns if its condition failed. */
export async function explainConditionFailed<T>(
  write: Promise<T>,
  explain: (failure: ConditionFailed) => Error,
): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw error instanceof ConditionFailed ? explain(error) : error;
  }
}

/**
 * Repeats reads and a write on condition that what they read is unchanged, until the condition holds.
 * @throws ConditionFailed if the condition fails `maxAttempts` times; by default never.
 */
export async function retryConditionFailed<T>(
  work: (attempt: number) => Promise<T>,
  maxAttempts = Number.POSITIVE_INFINITY,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt >= maxAttempts) throw error;
    }
  }
}
