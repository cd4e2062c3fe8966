import * as z from "zod";
import { teamKeys, userKeys } from "../../contract/resources.ts";
import { ConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const wrappedKey = z.object({ wrapped: z.instanceof(Uint8Array) });

const userKey = ({ teamId }: TeamScope, userId: string): Key => ({
  pk: `${userKeys.keyPrefix}${teamId}#${userId}`,
  sk: "key",
});

const teamKey = ({ teamId }: TeamScope): Key => ({ pk: `${teamKeys.keyPrefix}${teamId}`, sk: "key" });

/** Keys of users, wrapped by team keys, and keys of teams, wrapped by KMS. The table alone reveals no key. */
export class UserKeyStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the wrapped key of a user; undefined if it does not exist or was destroyed. */
  async get(scope: TeamScope, userId: string): Promise<Uint8Array | undefined> {
    return (await this.#table.get(userKey(scope, userId), wrappedKey))?.wrapped;
  }

  /** Builds the only write of a user's key, for the transaction that creates the user. */
  createItem(scope: TeamScope, userId: string, wrapped: Uint8Array): WriteItem {
    const Item = { ...userKey(scope, userId), wrapped };
    return { Put: { TableName: this.#table.name, Item, ConditionExpression: NOT_EXISTS } };
  }

  /** Returns the wrapped key of a team; undefined if it has none yet. */
  async getTeamKey(scope: TeamScope): Promise<Uint8Array | undefined> {
    return (await this.#table.get(teamKey(scope), wrappedKey))?.wrapped;
  }

  /** Creates the key of a team, unless it exists. @returns the stored key. */
  async createTeamKey(scope: TeamScope, wrapped: Uint8Array): Promise<Uint8Array> {
    try {
      await this.#table.put({ ...teamKey(scope), wrapped }, { ConditionExpression: NOT_EXISTS });
      return wrapped;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      return (await this.getTeamKey(scope)) ?? Promise.reject(error);
    }
  }

  /** Destroys the key of a user. Idempotent. @throws if a key exists afterwards. */
  async destroy(scope: TeamScope, userId: string): Promise<void> {
    const key = userKey(scope, userId);
    await this.#table.delete(key);
    if ((await this.#table.countPartition(key.pk)) > 0) throw new Error("The key of the user still exists.");
  }
}
