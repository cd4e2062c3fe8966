import * as z from "zod";
import { keys } from "../contract/resources.ts";
import { type KeyRecord, keyRecord } from "../domain/identity.ts";
import { type Item, isNew, type Key, type Page, setting, type Table } from "./table.ts";
import type { WriteItem } from "./transaction.ts";

/** What the list of an organisation's keys has of each: what recognises it, and nothing that opens anything. */
const listedKey = keyRecord.omit({ sha256: true, expires_at: true }).required({ id: true });
export type ListedKey = z.output<typeof listedKey>;

const keyKey = (keyId: string): Key => ({ pk: `${keys.keyPrefix}${keyId}`, sk: "key" });

/**
 * Where in the list keys of a sort begin: management keys, API keys of all teams, API keys of one team. Those that a team
 * has given to laboratories are among its API keys.
 */
export const listOf = {
  managementKeys: "management#",
  apiKeys: "team#",
  apiKeysOf: (teamId: string) => `team#${teamId}#`,
} as const;

function listKey({ kind, org_id, team_ids, created_at, id }: Omit<ListedKey, "masked" | "label" | "key_id">): Key {
  const sort = kind === "team" || kind === "lab" ? listOf.apiKeysOf(team_ids[0] ?? "") : listOf.managementKeys;
  return { pk: `${keys.keyPrefix}of#${org_id}`, sk: `${sort}${created_at}#${id}` };
}

/** Keys by their public id; those that are managed also stand in the list of their organisation. */
export class KeyStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(keyId: string): Promise<KeyRecord | undefined> {
    return this.#table.get(keyKey(keyId), keyRecord);
  }

  /** The first writes of a key, for one transaction. */
  createItems(key: KeyRecord): WriteItem[] {
    const first = (Item: Item & Key) => ({ Put: { TableName: this.#table.name, Item, ConditionExpression: isNew } });
    const itself = first({ ...keyKey(key.key_id), ...key });
    if (key.id === undefined) return [itself];
    const listed = listedKey.parse(key);
    return [itself, first({ ...listKey(listed), ...listed })];
  }

  /** Changes what a key is called or reaches, or ends part of it. @returns writes that are refused once the key is deleted. */
  changeItems(
    key: ListedKey,
    changes: Partial<Pick<KeyRecord, "label" | "team_ids" | "retired_at" | "revoked_at">>,
  ): WriteItem[] {
    const change = { TableName: this.#table.name, ...setting(changes), ConditionExpression: "attribute_exists(pk)" };
    return [keyKey(key.key_id), listKey(key)].map((Key) => ({ Update: { ...change, Key } }));
  }

  /** Deletes a key, which ends it. @returns writes that are refused once it is deleted. */
  removeItems(key: ListedKey): WriteItem[] {
    const gone = { TableName: this.#table.name, ConditionExpression: "attribute_exists(pk)" };
    return [keyKey(key.key_id), listKey(key)].map((Key) => ({ Delete: { ...gone, Key } }));
  }

  /** Keys of a sort in order of creation, after the given position. */
  list(
    orgId: string,
    sort: string,
    after: string | undefined,
    limit: number,
  ): Promise<Page<ListedKey & { sk: string }>> {
    const from = { ":org": `${keys.keyPrefix}of#${orgId}`, ":sort": sort };
    return this.#table.query(
      {
        KeyConditionExpression: "pk = :org AND begins_with(sk, :sort)",
        ExpressionAttributeValues: from,
        ...(after === undefined ? {} : { ExclusiveStartKey: { pk: from[":org"], sk: after } }),
        Limit: limit,
      },
      listedKey.extend({ sk: z.string() }),
    );
  }

  /** Every key of a sort. */
  listAll(orgId: string, sort: string): Promise<ListedKey[]> {
    const input = {
      KeyConditionExpression: "pk = :org AND begins_with(sk, :sort)",
      ExpressionAttributeValues: { ":org": `${keys.keyPrefix}of#${orgId}`, ":sort": sort },
    };
    return Array.fromAsync(this.#table.all(input, listedKey));
  }
}
