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

/** What storing a summary did, and what is stored since then. */
export interface MergedSummary {
  readonly outcome: "created" | "updated" | "unchanged";
  readonly record: SummaryRecord;
}

const MERGE_ATTEMPTS = 20;

/** Summaries by natural key, their fields sealed under the keys of users; of those that their source gave the one received last stands. */
export class SummaryStore {
  readonly #table: Table;
  readonly #seals: UserSeals;
  readonly #versions: SummaryVersions;

  /** @param keptMs for how long what is replaced can still be asked for; by default not at all. */
  constructor(table: Table, seals: UserSeals, keptMs = 0) {
    this.#table = table;
    this.#seals = seals;
    this.#versions = new SummaryVersions(table, seals, keptMs);
  }

  /**
   * Stores a summary unless a later one is there. Told again of a receipt that it holds, it answers the same as then.
   * @param isLatest whether no batch of the user that was received earlier can still arrive.
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
   * Stores a summary that was made of samples, if `stored` is still what was there before they were read. Never replaces
   * one that its source gave. Notes also that it came to the same again: else whoever read samples earlier, and came to
   * something else, could still store that.
   * @returns what is stored then, told of as its verb says, or undefined when `stored` was replaced meanwhile.
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

  /** Notes that the stored content came again, or what came too late to be stored. */
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

  /** The summary with a natural key. */
  async get(scope: TeamScope, of: NaturalKey): Promise<SummaryRecord | undefined> {
    const item = await this.#table.get({ pk: partition(scope, of.userId), sk: sortKey(of) }, sealedSummary);
    return item && this.#opened(scope, item);
  }

  /** The summary of one kind with this id, whosever it is; by the index, and then eventually consistent. */
  async find(scope: TeamScope, kind: SummaryKind, id: string): Promise<SummaryRecord | undefined> {
    const [item] = (await this.#table.query(idQuery(scope, kind, id), sealedSummary)).items;
    return item && this.#opened(scope, item);
  }

  /**
   * Summaries of one kind whose day lies between two dates (YYYY-MM-DD, both included), oldest first. What it costs does
   * not depend on what lies before and after. By the index, and then eventually consistent, for kinds of which the key
   * begins with no date. As of an earlier instant (epoch ms), or as they stand.
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

  /** Every summary of one kind. @param asOfMs as of which instant (epoch ms), by default as it stands. */
  async all(scope: TeamScope, userId: string, kind: SummaryKind, asOfMs?: number): Promise<SummaryRecord[]> {
    if (asOfMs === undefined) return Array.fromAsync(this.each(scope, userId, kind));
    const stored = await this.#keyed(scope, userId, kindQuery(scope, userId, kind));
    return asOf(stored, await this.#versions.at(scope, userId, kind, undefined, asOfMs), asOfMs);
  }

  /** Every summary of one kind, page by page as they are taken. */
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
