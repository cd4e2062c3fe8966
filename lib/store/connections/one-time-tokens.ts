import type * as z from "zod";
import type { EntityResource } from "../../contract/resource-kinds.ts";
import type { OneTimeToken } from "../../domain/connections/link/one-time-token.ts";
import { unlessConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { WriteItem } from "../transaction.ts";

/** Retention after the end of a token, so that a caller learns why it is invalid. */
const KEPT_S = 24 * 60 * 60;

/** Text fields that a token must have, with their values. */
type Fields<S extends z.ZodType> = { readonly [Name in keyof z.output<S>]?: z.output<S>[Name] & string };

/** Schema of a kind of tokens, each with the time at which it expires. */
export type OneTimeTokenSchema = z.ZodType<Pick<OneTimeToken, "ends_at">>;

/** One-time tokens of one kind that expire, by the SHA-256 (hex) of their secret. */
export class OneTimeTokenStore<S extends OneTimeTokenSchema> {
  readonly #table: Table;
  readonly #entity: EntityResource;
  readonly #schema: S;

  constructor(table: Table, entity: EntityResource, schema: S) {
    this.#table = table;
    this.#entity = entity;
    this.#schema = schema;
  }

  /** Returns the token, including an expired or used one. */
  get(sha256: string): Promise<z.output<S> | undefined> {
    return this.#table.get(this.#key(sha256), this.#schema);
  }

  /** @throws ConditionFailed if the hash exists. */
  create(sha256: string, token: z.output<S>): Promise<void> {
    return this.#table.put(this.#item(sha256, token), { ConditionExpression: NOT_EXISTS });
  }

  /** Builds the write that creates a token. */
  createItem(sha256: string, token: z.output<S>): WriteItem {
    return { Put: { TableName: this.#table.name, Item: this.#item(sha256, token), ConditionExpression: NOT_EXISTS } };
  }

  /** Creates or replaces a token under a name. */
  replace(sha256: string, token: z.output<S>): Promise<void> {
    return this.#table.put(this.#item(sha256, token));
  }

  /** Builds the update that consumes a valid token. @param now ISO 8601. */
  consumeItem(sha256: string, now: string): WriteItem {
    const TableName = this.#table.name;
    return {
      Update: {
        TableName,
        Key: this.#key(sha256),
        ...consumption(now),
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      },
    };
  }

  /**
   * Consumes a valid token with these fields. Returns undefined and leaves the token unchanged if none matches.
   * @param now ISO 8601.
   */
  async consume(sha256: string, now: string, fields: Fields<S> = {}): Promise<z.output<S> | undefined> {
    const item = await unlessConditionFailed(this.#table.update(this.#key(sha256), consumption(now, fields)));
    return item && this.#schema.parse(item);
  }

  #key(sha256: string): Key {
    return { pk: `${this.#entity.keyPrefix}${sha256}`, sk: "token" };
  }

  #item(sha256: string, token: z.output<S>) {
    return { ...this.#key(sha256), ...token, expires_at: Math.ceil(Date.parse(token.ends_at) / 1000) + KEPT_S };
  }
}

function consumption(now: string, fields: Readonly<Record<string, string | undefined>> = {}) {
  const [names, values] = [Object.keys(fields), Object.values(fields)];
  const good = ["attribute_exists(pk)", "attribute_not_exists(used_at)", "ends_at > :now"];
  return {
    UpdateExpression: "SET used_at = :now",
    ConditionExpression: [...good, ...names.map((_, index) => `#field${index} = :field${index}`)].join(" AND "),
    ...(names.length > 0 && {
      ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#field${index}`, name])),
    }),
    ExpressionAttributeValues: {
      ":now": now,
      ...Object.fromEntries(values.map((value, index) => [`:field${index}`, value])),
    },
  };
}
