import type * as z from "zod";
import type { EntityResource } from "../../contract/resource-kinds.ts";
import type { OneTime } from "../../domain/linking/one-time.ts";
import { ConditionFailed } from "../condition-failed.ts";
import { isNew, type Key, type Table } from "../table.ts";
import type { WriteItem } from "../transaction.ts";

/** Retention after the end of a token, so that a caller learns why it is invalid. */
const KEPT_S = 24 * 60 * 60;

/** Text fields that a token must have, with their values. */
type Fields<S extends z.ZodType> = { readonly [Name in keyof z.output<S>]?: z.output<S>[Name] & string };

/** One-time tokens of one kind that expire, by the SHA-256 (hex) of their secret. */
export class OneTimeTokenStore<S extends z.ZodType<OneTime>> {
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
    return this.#table.put(this.#item(sha256, token), { ConditionExpression: isNew });
  }

  /** Creates or replaces a token under a name. */
  replace(sha256: string, token: z.output<S>): Promise<void> {
    return this.#table.put(this.#item(sha256, token));
  }

  /** Builds the update that consumes a valid token. @param now ISO 8601. */
  useItem(sha256: string, now: string): WriteItem {
    const TableName = this.#table.name;
    return {
      Update: { TableName, Key: this.#key(sha256), ...use(now), ReturnValuesOnConditionCheckFailure: "ALL_OLD" },
    };
  }

  /**
   * Consumes a valid token with these fields. Returns undefined and leaves the token unchanged if none matches.
   * @param now ISO 8601.
   */
  async take(sha256: string, now: string, fields: Fields<S> = {}): Promise<z.output<S> | undefined> {
    try {
      return this.#schema.parse(await this.#table.update(this.#key(sha256), use(now, fields)));
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  }

  #key(sha256: string): Key {
    return { pk: `${this.#entity.keyPrefix}${sha256}`, sk: "token" };
  }

  #item(sha256: string, token: z.output<S>) {
    return { ...this.#key(sha256), ...token, expires_at: Math.ceil(Date.parse(token.ends_at) / 1000) + KEPT_S };
  }
}

function use(now: string, fields: Readonly<Record<string, string | undefined>> = {}) {
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
