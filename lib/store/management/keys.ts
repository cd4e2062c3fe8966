import * as z from "zod";
import { keys } from "../../contract/resources.ts";
import { type KeyRecord, keyRecord } from "../../domain/management/records.ts";
import type { Item, Key } from "../item.ts";
import { NOT_EXISTS, type Page, setExpression, type Table } from "../table.ts";
import type { WriteItem } from "../transaction.ts";

/** List entry of a key: its identifying fields, and no secret. */
const listedKey = keyRecord.omit({ sha256: true, expires_at: true }).required({ id: true });
export type ListedKey = z.output<typeof listedKey>;

const keyKey = (keyId: string): Key => ({ pk: `${keys.keyPrefix}${keyId}`, sk: "key" });

/**
 * Prefixes in the key list of an organisation: management keys, API keys of all teams, API keys of one team. API keys
 * that teams issued to laboratories count as API keys. Keys of sign-in providers appear in no list of the API.
 */
export const keyListPrefixes = {
  managementKeys: "management#",
  apiKeys: "team#",
  apiKeysOf: (teamId: string) => `team#${teamId}#`,
  providerKeysOf: (teamId: string) => `console_provider#${teamId}#`,
} as const;

function listPrefixOf(kind: KeyRecord["kind"], teamId = ""): string {
  if (kind === "console_provider") return keyListPrefixes.providerKeysOf(teamId);
  return kind === "team" || kind === "lab" ? keyListPrefixes.apiKeysOf(teamId) : keyListPrefixes.managementKeys;
}

function listKey({ kind, org_id, team_ids, created_at, id }: Omit<ListedKey, "masked" | "label" | "key_id">): Key {
  return { pk: `${keys.keyPrefix}of#${org_id}`, sk: `${listPrefixOf(kind, team_ids[0])}${created_at}#${id}` };
}

/** Keys by public id. Managed keys also have an entry in the list of their organisation. */
export class KeyStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(keyId: string): Promise<KeyRecord | undefined> {
    return this.#table.get(keyKey(keyId), keyRecord);
  }

  /** Builds the writes of a new key. */
  createItems(key: KeyRecord): WriteItem[] {
    const first = (Item: Item & Key) => ({
      Put: { TableName: this.#table.name, Item, ConditionExpression: NOT_EXISTS },
    });
    const itself = first({ ...keyKey(key.key_id), ...key });
    if (key.id === undefined) return [itself];
    const listed = listedKey.parse(key);
    return [itself, first({ ...listKey(listed), ...listed })];
  }

  /** Builds the writes that change a key's label or reach, or end part of it. They fail if the key was deleted. */
  updateItems(
    key: ListedKey,
    changes: Partial<Pick<KeyRecord, "label" | "team_ids" | "retired_at" | "revoked_at">>,
  ): WriteItem[] {
    const change = {
      TableName: this.#table.name,
      ...setExpression(changes),
      ConditionExpression: "attribute_exists(pk)",
    };
    return [keyKey(key.key_id), listKey(key)].map((Key) => ({ Update: { ...change, Key } }));
  }

  /** Builds the writes that delete a key. They fail if it was deleted already. */
  deleteItems(key: ListedKey): WriteItem[] {
    const gone = { TableName: this.#table.name, ConditionExpression: "attribute_exists(pk)" };
    return [keyKey(key.key_id), listKey(key)].map((Key) => ({ Delete: { ...gone, Key } }));
  }

  /** Returns keys of one list prefix in order of creation, after a position. */
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

  /** Returns all keys of one list prefix. */
  listAll(orgId: string, sort: string): Promise<ListedKey[]> {
    const input = {
      KeyConditionExpression: "pk = :org AND begins_with(sk, :sort)",
      ExpressionAttributeValues: { ":org": `${keys.keyPrefix}of#${orgId}`, ":sort": sort },
    };
    return Array.fromAsync(this.#table.queryAll(input, listedKey));
  }
}
