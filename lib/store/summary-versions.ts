import * as z from "zod";
import { compareText } from "../domain/chunk/sample.ts";
import type { SummaryKind } from "../domain/summaries/summary-kind.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { openSummary, sealedSummary, sealSummary } from "./sealed-summary.ts";
import { type Days, dayAttributes, daysQuery, kindQuery, partition, sortKey, VERSIONS } from "./summary-keys.ts";
import { hasSameContent, type IncomingSummary, naturalKey, type SummaryRecord } from "./summary-record.ts";
import { type Expression, isNew, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import type { UserSeal, UserSeals } from "./user-seals.ts";
import { versionExpiry } from "./version-expiry.ts";

/** A stored summary with its sort key for results. */
export const keyedSummary = sealedSummary.extend({ summary_time: z.string().optional() });
type KeyedSummary = Opened<z.output<typeof keyedSummary>>;
type Opened<I> = Omit<I, "pk" | "b"> & Pick<SummaryRecord, "fields">;

/** Decrypts a summary and keeps its sort key. */
export const openKeyed = <I extends z.output<typeof keyedSummary>>(seal: UserSeal, item: I) => ({
  ...openSummary(seal, item),
  sk: item.sk,
});

/**
 * A content that a summary had, or would have had, between two instants (epoch ms): `since_ms` inclusive, `until_ms`
 * exclusive.
 */
const summaryVersion = keyedSummary.extend({ since_ms: z.number(), until_ms: z.number() });
type SummaryVersion = Opened<z.output<typeof summaryVersion>>;

type VersionContent = Omit<SummaryVersion, "sk" | "summary_time">;

/**
 * Returns since when the stored content is current, epoch ms: its receipt if the source sent it; the receipt of the
 * last possible sample if it is derived.
 */
export const standsSince = (record: SummaryRecord): number =>
  record.derived === undefined ? record.received_at : Date.parse(record.updated_at);

/**
 * Versions of summaries before they were replaced. Each is an item beside the summaries, named by its receipt, so a
 * repeated batch writes no second version. A version is written before its successor.
 */
export class SummaryVersions {
  readonly #table: Table;
  readonly #seals: UserSeals;
  readonly #keptMs: number;

  /** @param keptMs retention of versions; 0 stores none. */
  constructor(table: Table, seals: UserSeals, keptMs: number) {
    this.#table = table;
    this.#seals = seals;
    this.#keptMs = keptMs;
  }

  /** Stores the current content before its replacement, which is current from `untilMs` on. */
  replaced(scope: TeamScope, of: IncomingSummary, stored: SummaryRecord, untilMs: number): Promise<void> {
    const name = stored.derived === undefined ? stored.receipt_id : `${stored.receipt_id}#${stored.version}`;
    const version = { ...stored, since_ms: standsSince(stored), until_ms: untilMs };
    // Two writers may replace the same content, one of them in vain. The later instant counts: the content was current
    // at least until then.
    return this.#put(scope, of, name, version, {
      ConditionExpression: `${isNew} OR until_ms < :until`,
      ExpressionAttributeValues: { ":until": untilMs },
    });
  }

  /** Stores the last confirmation of the stored content before a later receipt replaces it. */
  async confirmed(scope: TeamScope, of: IncomingSummary, stored: SummaryRecord, untilMs: number): Promise<void> {
    const { latest_receipt_id: name, latest_received_at: since_ms } = stored;
    if (name === undefined || since_ms === undefined) return;
    await this.#put(scope, of, name, { ...stored, since_ms, until_ms: untilMs });
  }

  /**
   * Stores a content that was received before the current one but arrived after it. A repeated batch finds its version
   * stored.
   */
  async late(scope: TeamScope, of: IncomingSummary, stored: SummaryRecord, given: SummaryRecord): Promise<void> {
    if (this.#keptMs === 0 || given.receipt_id === stored.latest_receipt_id) return;
    const since_ms = given.received_at;
    const known = [stored, ...(await this.#of(scope, of))].filter(isGiven).flatMap(receiptsOf);
    const later = known.flatMap(([id, ms]) => (id > given.receipt_id ? [ms] : []));
    // At least one receipt is later. If its instant is unknown, the late content was never current.
    const until_ms = later.length === 0 ? since_ms : Math.min(...later);
    const at = new Date(since_ms).toISOString();
    const [created_at = at] = [stored.created_at, at].sort();
    const version = { ...given, created_at, updated_at: at, since_ms, until_ms };
    await this.#put(scope, of, given.receipt_id, version, { ConditionExpression: isNew });
  }

  /** Returns the versions that were current at an instant (epoch ms), of some days or of all. */
  at(scope: TeamScope, userId: string, kind: SummaryKind, days: Days | undefined, atMs: number) {
    const { ExpressionAttributeValues, ...query } = days
      ? daysQuery(scope, userId, kind, days, VERSIONS)
      : kindQuery(scope, userId, kind, VERSIONS);
    const values = { ...ExpressionAttributeValues, ":at": atMs };
    const stood = "since_ms <= :at AND until_ms > :at";
    const of = "FilterExpression" in query ? `${query.FilterExpression} AND ${stood}` : stood;
    const input = { ...query, FilterExpression: of, ExpressionAttributeValues: values };
    return this.#opened(scope, userId, input);
  }

  /** Returns all versions of one summary. */
  #of(scope: TeamScope, of: IncomingSummary): Promise<SummaryVersion[]> {
    const query = {
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :of)",
      ExpressionAttributeValues: {
        ":pk": partition(scope, of.userId),
        ":of": `${VERSIONS}${sortKey(naturalKey(of))}#`,
      },
    };
    return this.#opened(scope, of.userId, query);
  }

  async #opened(scope: TeamScope, userId: string, query: Parameters<Table["query"]>[0]): Promise<SummaryVersion[]> {
    const items = await Array.fromAsync(this.#table.all(query, summaryVersion));
    if (items.length === 0) return [];
    const seal = await this.#seals.of(scope, userId);
    return items.map((item) => openKeyed(seal, item));
  }

  /** Stores a version. A failed condition means that the stored version already suffices. */
  async #put(scope: TeamScope, of: IncomingSummary, name: string, version: VersionContent, condition?: Expression) {
    if (this.#keptMs === 0) return;
    const key = { pk: partition(scope, of.userId), sk: `${VERSIONS}${sortKey(naturalKey(of))}#${name}` };
    const found = dayAttributes(scope, of.kind, version, VERSIONS);
    const expires_at = versionExpiry(version.until_ms, this.#keptMs);
    try {
      const seal = await this.#seals.of(scope, of.userId);
      await this.#table.put({ ...sealSummary(seal, key, version), ...found, expires_at }, condition);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
}

/**
 * Returns the summaries as of an instant (epoch ms) from current summaries and the versions of that time, in their
 * common order.
 */
export function asOf(stored: readonly KeyedSummary[], versions: readonly SummaryVersion[], asOfMs: number) {
  const standing = stored.map((record) => ({ ...record, since_ms: standsSince(record) }));
  const known = [...standing.filter(({ since_ms }) => since_ms <= asOfMs), ...versions];
  const best = [...Map.groupBy(known, ({ id }) => id).values()].flatMap((contents) => lastOf(contents, asOfMs));
  return best.sort((a, b) => compareText(orderOf(a), orderOf(b)));
}

interface Since extends KeyedSummary {
  readonly since_ms: number;
}

/**
 * Returns the latest of several contents. Of equal successive contents it returns the first, because the later ones
 * only repeat it.
 */
function lastOf(contents: readonly Since[], asOfMs: number): KeyedSummary[] {
  const [last, ...earlier] = contents.toSorted((a, b) => compare(b, a, asOfMs));
  if (!last) return [];
  const differs = earlier.findIndex((one) => isGiven(one) !== isGiven(last) || !hasSameContent(one, last));
  const same = differs < 0 ? earlier : earlier.slice(0, differs);
  return [same.at(-1) ?? last];
}

/** Contents from the source come after derived ones, then later after earlier. */
function compare(a: Since, b: Since, asOfMs: number): number {
  if (isGiven(a) !== isGiven(b)) return isGiven(a) ? 1 : -1;
  if (isGiven(a)) return compareText(lastReceipt(a, asOfMs), lastReceipt(b, asOfMs));
  return a.since_ms - b.since_ms || a.version - b.version;
}

/** Returns the known receipts of a content, each with its instant. */
const receiptsOf = ({ receipt_id, received_at, latest_receipt_id, latest_received_at }: SummaryRecord) => [
  [receipt_id, received_at] as const,
  ...(latest_receipt_id !== undefined && latest_received_at !== undefined
    ? [[latest_receipt_id, latest_received_at] as const]
    : []),
];

/** Returns the last receipt of a content until an instant. Receipt ids sort by time. */
const lastReceipt = ({ receipt_id, latest_receipt_id, latest_received_at }: Since, asOfMs: number): string =>
  latest_receipt_id !== undefined && (latest_received_at ?? Number.POSITIVE_INFINITY) <= asOfMs
    ? latest_receipt_id
    : receipt_id;

const isGiven = ({ derived }: SummaryRecord) => derived === undefined;

const orderOf = ({ sk, summary_time = "" }: KeyedSummary) =>
  `${summary_time}${sk.startsWith(VERSIONS) ? sk.slice(VERSIONS.length) : sk}`;
