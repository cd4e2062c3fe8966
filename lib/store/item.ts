/** The primary key of every item in every table. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** An item as DynamoDB answers it, before its entity's schema has parsed it. */
export type Item = Record<string, unknown>;
