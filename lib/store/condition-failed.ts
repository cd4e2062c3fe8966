import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import type { Item } from "./table.ts";

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
export function plain(raw: Record<string, { S?: string; N?: string; SS?: string[] }> | undefined): Item {
  const entries = Object.entries(raw ?? {}).map(
    ([name, { S, N, SS }]) => [name, S ?? (SS ? new Set(SS) : Number(N))] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => !Number.isNaN(value)));
}

/** Awaits a single write. @throws ConditionFailed if its condition failed. */
export async function mapCondition<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw new ConditionFailed(new Map([[0, plain(error.Item)]]), { cause: error });
  }
}
