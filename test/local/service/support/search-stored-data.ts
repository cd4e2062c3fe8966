import { globSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { BatchWriteCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { TestService } from "../../../support/service.ts";
import { SEARCH_PATTERN } from "../platform/confidentiality/canary-user.ts";
import { createUserKeyRing, openSealedText } from "../users/open-stored-values.ts";
import { createEngineClient } from "./stored-items.ts";

/** A stored item with its table. */
export interface RawItem {
  readonly table: string;
  readonly item: Readonly<Record<string, unknown>> & { readonly pk: string; readonly sk: string };
  /** Its unsealed content, while the user's key exists. */
  readonly opened?: string | undefined;
}

/** Scans every item of every table in the engine itself. */
export async function* scanAllItems(service: TestService): AsyncGenerator<RawItem> {
  const client = createEngineClient(service);
  const keys = createUserKeyRing(service, client);
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  for (const table of TableNames) {
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const page = await client.send(new ScanCommand({ TableName: table, ExclusiveStartKey }));
      for (const item of (page.Items ?? []) as RawItem["item"][]) {
        yield { table, item, opened: await openSealedText(keys, item) };
      }
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
  }
  client.destroy();
}

/** Deletes items that expired at least this long ago, as DynamoDB does. @returns the number of deleted items. */
export async function deleteExpiredItems(service: TestService, agoMs: number): Promise<number> {
  const client = createEngineClient(service);
  const before = (service.cloud.clock.now() - agoMs) / 1000;
  let count = 0;
  for await (const { table, item } of scanAllItems(service)) {
    if (typeof item.expires_at !== "number" || item.expires_at > before) continue;
    const { pk, sk } = item;
    await client.send(new BatchWriteCommand({ RequestItems: { [table]: [{ DeleteRequest: { Key: { pk, sk } } }] } }));
    count++;
  }
  client.destroy();
  return count;
}

/** Returns all text of an item, including its unpacked binary attributes. */
export function itemText({ item, opened }: RawItem): string {
  if (opened !== undefined) return [JSON.stringify({ ...item, b: null }, sortMembers), opened].join("\n");
  const unpacked = Object.values(item).flatMap((value) => (value instanceof Uint8Array ? unpack(value) : []));
  return [JSON.stringify(item, sortMembers), ...unpacked].join("\n");
}

/** The engine returns attributes and set members in any order. */
function sortMembers(_: string, value: unknown): unknown {
  if (value instanceof Set) return [...value].toSorted();
  const isPlain =
    value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Uint8Array);
  return isPlain ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;
}

function unpack(bytes: Uint8Array): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return Buffer.from(isGzip ? gunzipSync(bytes) : bytes).toString("latin1");
}

/** Returns the searched values that a text contains. */
export function findValues(text: string, wanted: ReadonlySet<string>): string[] {
  return [...text.matchAll(SEARCH_PATTERN)].flatMap(([match]) => (wanted.has(match.toLowerCase()) ? match : []));
}

/** A searched value in a file, counted once. */
export interface FileHit {
  readonly file: string;
  readonly what: string;
}

/** Deletes what the AWS services delete within a day, by the file of the local engine. */
const EXPIRED_DATA_SQL: Readonly<Record<string, string>> = { "dynamodb.sqlite": "DELETE FROM _stream_records" };

/**
 * Searches the files of a stopped service byte by byte. Compacts databases first, because deleted rows stay in free
 * pages; searches compressed objects unpacked too.
 * @param isLeftOut excludes a file from the search.
 */
export function searchFiles(
  directory: string,
  wanted: ReadonlySet<string>,
  isLeftOut: (file: string) => boolean,
): { hits: readonly FileHit[]; bytes: number; files: number } {
  const present = () => globSync(`${directory}/**/*`).filter((file) => statSync(file).isFile() && !isLeftOut(file));
  for (const file of present().filter((name) => /\.(sqlite|db)$/.test(name))) compact(file);
  const hits = new Map<string, FileHit>();
  let bytes = 0;
  for (const file of present()) {
    const content = readFileSync(file);
    bytes += content.length;
    const isGzip = content[0] === 0x1f && content[1] === 0x8b;
    for (const text of [file, ...texts(content), ...(isGzip ? texts(gunzipSync(content)) : [])]) {
      for (const what of findValues(text, wanted)) hits.set(`${file} ${what}`, { file: basename(file), what });
    }
  }
  return { hits: [...hits.values()], bytes, files: present().length };
}

function compact(file: string): void {
  const database = new DatabaseSync(file);
  const forget = EXPIRED_DATA_SQL[basename(file)];
  if (forget) database.exec(forget);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

/** Characters of one piece of a file, and the overlap of adjacent pieces, so that no value is split. */
const [PIECE_CHARACTERS, OVERLAP_CHARACTERS] = [64 * 1024 * 1024, 64];

function* texts(content: Buffer): Generator<string> {
  for (let from = 0; from < content.length; from += PIECE_CHARACTERS) {
    yield content.toString("latin1", from, Math.min(content.length, from + PIECE_CHARACTERS + OVERLAP_CHARACTERS));
  }
}
