import { auditHours, auditLog } from "../../contract/resources.ts";
import { type AuditEntry, auditEntry } from "../../domain/audit/audit-entry.ts";
import { hourEnd, hourStart, LOG_RETENTION_S } from "../../domain/audit/hash-chain.ts";
import type { Item, Key } from "../item.ts";
import type { Page, Table } from "../table.ts";
import { queryRawItems } from "./raw-items.ts";
import { UnsealedHourStore } from "./unsealed-hours.ts";

const partition = (orgId: string) => `${auditLog.keyPrefix}org#${orgId}`;

/** The position starts with the time, so entries sort by it. */
const position = ({ at, id }: AuditEntry) => `${at}#${id}`;

const entryKey = (orgId: string, entry: AuditEntry): Key => ({ pk: partition(orgId), sk: position(entry) });

/** Audit log of the management interface, by organisation. Entries are written, completed, and never changed again. */
export class AuditLogStore {
  readonly #table: Table;
  readonly unsealedHours: UnsealedHourStore;

  constructor(table: Table) {
    this.#table = table;
    this.unsealedHours = new UnsealedHourStore(table, auditHours.keyPrefix);
  }

  /** Writes an entry, or completes the entry with its id with the outcome of the call. */
  async record(orgId: string, entry: AuditEntry): Promise<void> {
    await this.unsealedHours.mark({ kind: "management", id: orgId }, entry.at);
    const expires_at = Math.floor(Date.parse(entry.at) / 1000) + LOG_RETENTION_S;
    await this.#table.put({ ...entryKey(orgId, entry), ...entry, expires_at });
  }

  /**
   * Returns a page of entries, newest first.
   * @param range start (inclusive) and end (exclusive), ISO 8601.
   * @param before position at which the previous page ended.
   */
  list(orgId: string, range: { from: string; to: string }, before: string | undefined, limit: number) {
    return this.#table.query(
      {
        KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
        ExpressionAttributeValues: { ":pk": partition(orgId), ":from": range.from, ":to": range.to },
        ...(before === undefined ? {} : { ExclusiveStartKey: { pk: partition(orgId), sk: before } }),
        ScanIndexForward: false,
        Limit: limit,
      },
      auditEntry,
    ) satisfies Promise<Page<AuditEntry>>;
  }

  /** Yields the complete items of an hour, in the order of the seal. */
  listHourItems(orgId: string, hour: string): AsyncGenerator<Item> {
    return queryRawItems(this.#table, partition(orgId), hourStart(hour), hourEnd(hour));
  }
}

/** Returns the position of an entry, at which a page can end. */
export const auditEntryPosition = position;
