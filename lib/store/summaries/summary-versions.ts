import * as z from "zod";
import type { SummaryKind } from "../../domain/summaries/summary-kind.ts";
import { unlessConditionFailed } from "../condition-failed.ts";
import { type Expression, NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { UserCipher, UserCiphers } from "../user-encryption.ts";
import { versionExpiry } from "../version-expiry.ts";
import { decryptSummary, encryptedSummary, encryptSummary } from "./encrypted-summary.ts";
import {
  type DayRange,
  dayAttributes,
  dayRangeQuery,
  kindQuery,
  summaryPartition,
  summarySortKey,
  VERSION_PREFIX,
} from "./summary-keys.ts";
import type { PlacedSummary, SummaryRecord } from "./summary-record.ts";

/** A stored summary with its sort key for results. */
export const sortableSummary = encryptedSummary.extend({ summary_time: z.string().optional() });
export type SortableSummary = Opened<z.output<typeof sortableSummary>>;
type Opened<I> = Omit<I, "pk" | "b"> & Pick<SummaryRecord, "fields">;

/** Decrypts a summary and keeps its sort key. */
export const decryptSortable = <I extends z.output<typeof sortableSummary>>(seal: UserCipher, item: I) => ({
  ...decryptSummary(seal, item),
  sk: item.sk,
});

/**
 * A content that a summary had, or would have had, between two instants (epoch ms): `since_ms` inclusive, `until_ms`
 * exclusive.
 */
const summaryVersion = sortableSummary.extend({ since_ms: z.number(), until_ms: z.number() });
export type SummaryVersion = Opened<z.output<typeof summaryVersion>>;

type VersionContent = Omit<SummaryVersion, "sk" | "summary_time">;

/**
 * Returns since when the stored content is current, epoch ms: its receipt if the source sent it; the receipt of the
 * last possible sample if it is derived.
 */
export const currentSince = (record: SummaryRecord): number =>
  record.derived === undefined ? record.received_at : Date.parse(record.updated_at);

/** Whether the source sent a summary, not the service derived it. */
export const isFromSource = ({ derived }: SummaryRecord) => derived === undefined;

/**
 * Versions of summaries before they were replaced. Each is an item beside the summaries, named by its receipt, so a
 * repeated batch writes no second version. A version is written before its successor.
 */
export class SummaryVersionStore {
  readonly #table: Table;
  readonly #seals: UserCiphers;
  readonly #keptMs: number;

  /** @param keptMs retention of versions; 0 stores none. */
  constructor(table: Table, seals: UserCiphers, keptMs: number) {
    this.#table = table;
    this.#seals = seals;
    this.#keptMs = keptMs;
  }

  /** Stores the current content before its replacement, which is current from `untilMs` on. */
  recordReplaced(scope: TeamScope, of: PlacedSummary, stored: SummaryRecord, untilMs: number): Promise<void> {
    const name = stored.derived === undefined ? stored.receipt_id : `${stored.receipt_id}#${stored.version}`;
    const version = { ...stored, since_ms: currentSince(stored), until_ms: untilMs };
    // Two writers may replace the same content, one of them in vain. The later instant counts: the content was current
    // at least until then.
    return this.#put(scope, of, name, version, {
      ConditionExpression: `${NOT_EXISTS} OR until_ms < :until`,
      ExpressionAttributeValues: { ":until": untilMs },
    });
  }

  /** Stores the last confirmation of the stored content before a later receipt replaces it. */
  async recordConfirmed(scope: TeamScope, of: PlacedSummary, stored: SummaryRecord, untilMs: number): Promise<void> {
    const { latest_receipt_id: name, latest_received_at: since_ms } = stored;
    if (name === undefined || since_ms === undefined) return;
    await this.#put(scope, of, name, { ...stored, since_ms, until_ms: untilMs });
  }

  /**
   * Stores a content that was received before the current one but arrived after it. A repeated batch finds its version
   * stored.
   */
  async recordLate(scope: TeamScope, of: PlacedSummary, stored: SummaryRecord, given: SummaryRecord): Promise<void> {
    if (this.#keptMs === 0 || given.receipt_id === stored.latest_receipt_id) return;
    const since_ms = given.received_at;
    const known = [stored, ...(await this.#of(scope, of, stored))].filter(isFromSource).flatMap(receiptsOf);
    const later = known.flatMap(([id, ms]) => (id > given.receipt_id ? [ms] : []));
    // At least one receipt is later. If its instant is unknown, the late content was never current.
    const until_ms = later.length === 0 ? since_ms : Math.min(...later);
    const at = new Date(since_ms).toISOString();
    const [created_at = at] = [stored.created_at, at].sort();
    const version = { ...given, created_at, updated_at: at, since_ms, until_ms };
    await this.#put(scope, of, given.receipt_id, version, { ConditionExpression: NOT_EXISTS });
  }

  /** Returns the versions that were current at an instant (epoch ms), of some days or of all. */
  listAt(scope: TeamScope, userId: string, kind: SummaryKind, days: DayRange | undefined, atMs: number) {
    const { ExpressionAttributeValues, ...query } = days
      ? dayRangeQuery(scope, userId, kind, days, VERSION_PREFIX)
      : kindQuery(scope, userId, kind, VERSION_PREFIX);
    const values = { ...ExpressionAttributeValues, ":at": atMs };
    const stood = "since_ms <= :at AND until_ms > :at";
    const of = "FilterExpression" in query ? `${query.FilterExpression} AND ${stood}` : stood;
    const input = { ...query, FilterExpression: of, ExpressionAttributeValues: values };
    return this.#opened(scope, userId, input);
  }

  /** Returns all versions of one summary. Keys of other recorders may start with its key, so its id tells them apart. */
  async #of(scope: TeamScope, of: PlacedSummary, { id }: SummaryRecord): Promise<SummaryVersion[]> {
    const query = {
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :of)",
      ExpressionAttributeValues: {
        ":pk": summaryPartition(scope, of.userId),
        ":of": `${VERSION_PREFIX}${summarySortKey(scope, of.place)}#`,
      },
    };
    return (await this.#opened(scope, of.userId, query)).filter((version) => version.id === id);
  }

  async #opened(scope: TeamScope, userId: string, query: Parameters<Table["query"]>[0]): Promise<SummaryVersion[]> {
    const items = await Array.fromAsync(this.#table.queryAll(query, summaryVersion));
    if (items.length === 0) return [];
    const seal = await this.#seals.forUser(scope, userId);
    return items.map((item) => decryptSortable(seal, item));
  }

  /** Stores a version. A failed condition means that the stored version already suffices. */
  async #put(scope: TeamScope, of: PlacedSummary, name: string, version: VersionContent, condition?: Expression) {
    if (this.#keptMs === 0) return;
    const key = {
      pk: summaryPartition(scope, of.userId),
      sk: `${VERSION_PREFIX}${summarySortKey(scope, of.place)}#${name}`,
    };
    const found = dayAttributes(scope, of.kind, version, VERSION_PREFIX);
    const expires_at = versionExpiry(version.until_ms, this.#keptMs);
    const seal = await this.#seals.forUser(scope, of.userId);
    const item = { ...encryptSummary(seal, key, version), ...found, expires_at };
    await unlessConditionFailed(this.#table.put(item, condition));
  }
}

/** Returns the known receipts of a content, each with its instant. */
const receiptsOf = ({ receipt_id, received_at, latest_receipt_id, latest_received_at }: SummaryRecord) => [
  [receipt_id, received_at] as const,
  ...(latest_receipt_id !== undefined && latest_received_at !== undefined
    ? [[latest_receipt_id, latest_received_at] as const]
    : []),
];
