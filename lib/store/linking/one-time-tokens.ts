import type * as z from "zod";
import type { EntityResource } from "../../contract/resource-kinds.ts";
import type { OneTime } from "../../domain/linking/one-time.ts";
import { ConditionFailed } from "../condition-failed.ts";
import { isNew, type Key, type Table } from "../table.ts";
import type { WriteItem } from "../transaction.ts";

/** Tokens are kept for a day after they end, so that it can be told why one is not good any more. */
const KEPT_S = 24 * 60 * 60;

/** Fields of text that a token has to have, with their values. */
type Fields<S extends z.ZodType> = { readonly [Name in keyof z.output<S>]?: z.output<S>[Name] & string };

/** Tokens that are good once and until an instant, of one kind, by the SHA-256 (hex) of what their holder has. */
export class OneTimeTokenStore<S extends z.ZodType<OneTime>> {
  readonly #table: Table;
  readonly #entity: EntityResource;
  readonly #schema: S;

  constructor(table: Table, entity: EntityResource, schema: S) {
    this.#table = table;
    this.#entity = entity;
    this.#schema = schema;
  }

  /** The token, whether or not it is over or used. */
  get(sha256: string): Promise<z.output<S> | undefined> {
    return this.#table.get(this.#key(sha256), this.#schema);
  }

  /** @throws ConditionFailed when there is one under this hash. */
  create(sha256: string, token: z.output<S>): Promise<void> {
    return this.#table.put(this.#item(sha256, token), { ConditionExpression: isNew });
  }

  /** Puts a token in the place of one under the same name. */
  replace(sha256: string, token: z.output<S>): Promise<void> {
    return this.#table.put(this.#item(sha256, token));
  }

  /** Uses a token that is good. @param now ISO 8601. */
  useItem(sha256: string, now: string): WriteItem {
    const TableName = this.#table.name;
    return {
      Update: { TableName, Key: this.#key(sha256), ...use(now), ReturnValuesOnConditionCheckFailure: "ALL_OLD" },
    };
  }

  /**
   * Uses a token at once; undefined, and the token left as it is, where there is none that is good and has these fields.
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
