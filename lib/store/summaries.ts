import type * as z from "zod";
import type { SummaryKind } from "../domain/summaries/summary-kind.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { openSummary, sealedSummary, sealSummary } from "./sealed-summary.ts";
import {
  type Days,
  daysQuery,
  idQuery,
  indexAttributes,
  kindQuery,
  type NaturalKey,
  partition,
  sortKey,
} from "./summary-keys.ts";
import {
  hasSameContent,
  type IncomingSummary,
  isLater,
  isStill,
  isStillDerived,
  judge,
  naturalKey,
  type Receipt,
  recordAfter,
  type SummaryRecord,
} from "./summary-record.ts";
import { asOf, keyedSummary, openKeyed, SummaryVersions, standsSince } from "./summary-versions.ts";
import { type Expression, isNew, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import type { UserSeals } from "./user-seals.ts";

/** Outcome of storing a summary, and the stored record. */
export interface MergedSummary {
  readonly outcome: "created" | "updated" | "unchanged";
  readonly record: SummaryRecord;
}

const MERGE_ATTEMPTS = 20;

/** Summaries by natural key, encrypted under user keys. Of those from their source, the last received is current. */
export class SummaryStore {
  readonly #table: Table;
  readonly #seals: UserSeals;
  readonly #versions: SummaryVersions;

  /** @param keptMs retention of replaced summaries; by default none. */
  constructor(table: Table, seals: UserSeals, keptMs = 0) {
    this.#table = table;
    this.#seals = seals;
    this.#versions = new SummaryVersions(table, seals, keptMs);
  }

  /**
   * Stores a summary unless a later one is stored. A repeated receipt returns the same outcome again.
   * @param isLatest whether no batch of the user received earlier can still arrive.
   */
  async merge(
    scope: TeamScope,
    incoming: IncomingSummary,
    receipt: Receipt,
    isLatest: () => Promise<boolean>,
  ): Promise<MergedSummary> {
    for (let attempt = 1; ; attempt++) {
      const stored = await this.get(scope, naturalKey(incoming));
      const record = recordAfter(stored, scope, incoming, receipt);
      const outcome = judge(stored, record);
      const isTold = stored?.receipt_id === receipt.receiptId && !stored.derived;
      if (stored && isTold) return { outcome, record: stored };
      try {
        if (stored && outcome === "unchanged") {
          await this.#keepUnchanged(scope, incoming, stored, record, isLatest);
          return { outcome, record: stored };
        }
        if (stored) await this.#versions.replaced(scope, incoming, stored, record.received_at);
        await this.#put(scope, incoming, record, stored ? isStill(stored) : { ConditionExpression: isNew });
        return { outcome, record };
      } catch (error) {
        if (!(error instanceof ConditionFailed) || attempt === MERGE_ATTEMPTS) throw error;
      }
    }
  }

  /**
   * Stores a summary derived from samples if `stored` was current before the samples were read. Never replaces a
   * summary from its source. Also records an unchanged derivation: otherwise a writer that read samples earlier could
   * still store another result.
   * @returns the stored record, whose verb selects the event, or undefined if `stored` was replaced in the meantime.
   */
  async derive(
    scope: TeamScope,
    incoming: IncomingSummary,
    stored: SummaryRecord | undefined,
    receipt: Receipt,
  ): Promise<SummaryRecord | undefined> {
    const next = recordAfter(stored, scope, incoming, receipt);
    const content = stored && hasSameContent(stored, next) ? stored : next;
    const record = { ...content, derived: (stored?.derived ?? 0) + 1 };
    if (stored && content !== stored) await this.#versions.replaced(scope, incoming, stored, standsSince(record));
    try {
      await this.#put(scope, incoming, record, stored ? isStillDerived(stored) : { ConditionExpression: isNew });
      return record;
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  }

  /** Records that the stored content arrived again, or a content that arrived too late. */
  async #keepUnchanged(
    scope: TeamScope,
    incoming: IncomingSummary,
    stored: SummaryRecord,
    given: SummaryRecord,
    isLatest: () => Promise<boolean>,
  ): Promise<void> {
    if (!isLater(given, stored)) return this.#versions.late(scope, incoming, stored, given);
    if (await isLatest()) return;
    await this.#versions.confirmed(scope, incoming, stored, given.received_at);
    const key = { pk: partition(scope, incoming.userId), sk: sortKey(naturalKey(incoming)) };
    await this.#table.update(key, {
      UpdateExpression: "SET latest_receipt_id = :receipt, latest_received_at = :at",
      ConditionExpression:
        "version = :version AND (attribute_not_exists(latest_receipt_id) OR latest_receipt_id < :receipt)",
      ExpressionAttributeValues: {
        ":receipt": given.receipt_id,
        ":at": given.received_at,
        ":version": stored.version,
      },
    });
  }

  async #put(scope: TeamScope, incoming: IncomingSummary, record: SummaryRecord, condition: Expression) {
    const key = { pk: partition(scope, incoming.userId), sk: sortKey(naturalKey(incoming)) };
    const sealed = sealSummary(await this.#seals.of(scope, incoming.userId), key, record);
    await this.#table.put({ ...sealed, ...indexAttributes(scope, incoming.kind, record) }, condition);
  }

  /** Returns the summary with a natural key. */
  async get(scope: TeamScope, of: NaturalKey): Promise<SummaryRecord | undefined> {
    const item = await this.#table.get({ pk: partition(scope, of.userId), sk: sortKey(of) }, sealedSummary);
    return item && this.#opened(scope, item);
  }

  /** Returns the summary of one kind with this id, of any user of the team. Eventually consistent: reads the index. */
  async find(scope: TeamScope, kind: SummaryKind, id: string): Promise<SummaryRecord | undefined> {
    const [item] = (await this.#table.query(idQuery(scope, kind, id), sealedSummary)).items;
    return item && this.#opened(scope, item);
  }

  /**
   * Returns summaries of one kind whose day is between two dates (YYYY-MM-DD, both inclusive), oldest first. The cost
   * depends only on the range. Kinds whose key starts with no date are read from the index, eventually consistent.
   * Returns the current state, or that as of an earlier instant (epoch ms).
   */
  async list(
    scope: TeamScope,
    userId: string,
    kind: SummaryKind,
    days: Days,
    asOfMs?: number,
  ): Promise<SummaryRecord[]> {
    const query = daysQuery(scope, userId, kind, days);
    if (asOfMs === undefined) return Array.fromAsync(this.#each(scope, query));
    const stored = await this.#keyed(scope, userId, query);
    return asOf(stored, await this.#versions.at(scope, userId, kind, days, asOfMs), asOfMs);
  }

  /** Returns all summaries of one kind, current or as of an instant (epoch ms). */
  async all(scope: TeamScope, userId: string, kind: SummaryKind, asOfMs?: number): Promise<SummaryRecord[]> {
    if (asOfMs === undefined) return Array.fromAsync(this.each(scope, userId, kind));
    const stored = await this.#keyed(scope, userId, kindQuery(scope, userId, kind));
    return asOf(stored, await this.#versions.at(scope, userId, kind, undefined, asOfMs), asOfMs);
  }

  /** Yields all summaries of one kind, page by page. */
  each(scope: TeamScope, userId: string, kind: SummaryKind): AsyncGenerator<SummaryRecord> {
    return this.#each(scope, kindQuery(scope, userId, kind));
  }

  async *#each(scope: TeamScope, query: Parameters<Table["query"]>[0]): AsyncGenerator<SummaryRecord> {
    for await (const item of this.#table.all(query, sealedSummary)) yield await this.#opened(scope, item);
  }

  async #keyed(scope: TeamScope, userId: string, query: Parameters<Table["query"]>[0]) {
    const items = await Array.fromAsync(this.#table.all(query, keyedSummary));
    if (items.length === 0) return [];
    const seal = await this.#seals.of(scope, userId);
    return items.map((item) => openKeyed(seal, item));
  }

  async #opened(scope: TeamScope, item: z.output<typeof sealedSummary>): Promise<SummaryRecord> {
    return openSummary(await this.#seals.of(scope, item.user_id), item);
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.erasePartition(partition(scope, userId));
  }
}
