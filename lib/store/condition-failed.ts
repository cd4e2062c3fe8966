import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import type { Item } from "./table.ts";

/** A write whose condition did not hold; `items` are what was stored instead, by position in the transaction. */
export class ConditionFailed extends Error {
  readonly items: ReadonlyMap<number, Item>;

  constructor(items: ReadonlyMap<number, Item>, options?: ErrorOptions) {
    super("a condition of the write did not hold", options);
    this.name = "ConditionFailed";
    this.items = items;
  }
}

/** The strings, numbers and sets of strings of a raw item, enough to say what stood in the way of a write. */
export function plain(raw: Record<string, { S?: string; N?: string; SS?: string[] }> | undefined): Item {
  const entries = Object.entries(raw ?? {}).map(
    ([name, { S, N, SS }]) => [name, S ?? (SS ? new Set(SS) : Number(N))] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => !Number.isNaN(value)));
}

/** The answer of a single write. @throws ConditionFailed where DynamoDB says that the condition does not hold. */
export async function mapCondition<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw new ConditionFailed(new Map([[0, plain(error.Item)]]), { cause: error });
  }
}
