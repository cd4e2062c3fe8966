import type * as z from "zod";
import type { SummaryKind } from "../../domain/summaries/summary-kind.ts";
import { isConditionMet, retryConditionFailed } from "../condition-failed.ts";
import type { Recorder } from "../recorder-key.ts";
import { type Expression, NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { UserCiphers } from "../user-encryption.ts";
import { decryptSummary, encryptedSummary, encryptSummary } from "./encrypted-summary.ts";
import { placeSummary, withoutReplaced } from "./place-summary.ts";
import { summariesAsOf } from "./summaries-as-of.ts";
import {
  type DayRange,
  dayRangeQuery,
  idQuery,
  indexAttributes,
  kindQuery,
  type NaturalKey,
  summaryItemKey,
  summaryPartition,
} from "./summary-keys.ts";
import {
  classifySummary,
  hasSameContent,
  type IncomingSummary,
  ifDerivedUnchanged,
  ifUnchanged,
  isReceivedLater,
  nextSummaryRecord,
  type PlacedSummary,
  type SummaryReceipt,
  type SummaryRecord,
  sharedKey,
} from "./summary-record.ts";
import { currentSince, decryptSortable, SummaryVersionStore, sortableSummary } from "./summary-versions.ts";

/** Outcome of storing a summary, and the stored record. */
export interface MergedSummary {
  readonly outcome: "created" | "updated" | "unchanged";
  readonly record: SummaryRecord;
}

const MERGE_ATTEMPTS = 20;

/** Summaries by natural key, encrypted under user keys. Of those from their source, the last received is current. */
export class SummaryStore {
  readonly #table: Table;
  readonly #seals: UserCiphers;
  readonly #versions: SummaryVersionStore;

  /** @param keptMs retention of replaced summaries; by default none. */
  constructor(table: Table, seals: UserCiphers, keptMs = 0) {
    this.#table = table;
    this.#seals = seals;
    this.#versions = new SummaryVersionStore(table, seals, keptMs);
  }

  /**
   * Stores a summary unless a later one is stored. A repeated receipt returns the same outcome again.
   * @param isLatest whether no batch of the user received earlier can still arrive.
   */
  merge(
    scope: TeamScope,
    incoming: IncomingSummary,
    receipt: SummaryReceipt,
    isLatest: () => Promise<boolean>,
  ): Promise<MergedSummary> {
    return retryConditionFailed(async () => {
      const { placed, item } = await placeSummary(this.#table, scope, incoming);
      const stored = item && (await this.#opened(scope, item));
      const record = nextSummaryRecord(stored, scope, placed, receipt);
      const outcome = classifySummary(stored, record);
      const isApplied = stored?.receipt_id === receipt.receiptId && !stored.derived;
      if (stored && isApplied) return { outcome, record: stored };
      if (stored && outcome === "unchanged") {
        await this.#keepUnchanged(scope, placed, stored, record, isLatest);
        return { outcome, record: stored };
      }
      if (stored) await this.#versions.recordReplaced(scope, placed, stored, record.received_at);
      await this.#put(scope, placed, record, stored ? ifUnchanged(stored) : { ConditionExpression: NOT_EXISTS });
      return { outcome, record };
    }, MERGE_ATTEMPTS);
  }

  /**
   * Stores a summary derived from samples if `stored` was current before the samples were read. Never replaces a
   * summary from its source; one of a recorder has its own key, and reads then omit the derived one. Also records an
   * unchanged derivation: otherwise a writer that read samples earlier could still store another result.
   * @returns the stored record, whose verb selects the event, or undefined if `stored` was replaced in the meantime.
   */
  async putDerived(
    scope: TeamScope,
    derived: Omit<IncomingSummary, keyof Recorder>,
    stored: SummaryRecord | undefined,
    receipt: SummaryReceipt,
  ): Promise<SummaryRecord | undefined> {
    const incoming = { ...derived, deviceId: null, appId: null };
    const placed = { ...incoming, place: sharedKey(incoming) };
    const next = nextSummaryRecord(stored, scope, placed, receipt);
    const content = stored && hasSameContent(stored, next) ? stored : next;
    const record = { ...content, derived: (stored?.derived ?? 0) + 1 };
    if (stored && content !== stored) await this.#versions.recordReplaced(scope, placed, stored, currentSince(record));
    const isUnchanged = stored ? ifDerivedUnchanged(stored) : { ConditionExpression: NOT_EXISTS };
    return (await isConditionMet(this.#put(scope, placed, record, isUnchanged))) ? record : undefined;
  }

  /** Records that the stored content arrived again, or a content that arrived too late. */
  async #keepUnchanged(
    scope: TeamScope,
    placed: PlacedSummary,
    stored: SummaryRecord,
    given: SummaryRecord,
    isLatest: () => Promise<boolean>,
  ): Promise<void> {
    if (!isReceivedLater(given, stored)) return this.#versions.recordLate(scope, placed, stored, given);
    if (await isLatest()) return;
    await this.#versions.recordConfirmed(scope, placed, stored, given.received_at);
    await this.#table.update(summaryItemKey(scope, placed.place), {
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

  async #put(scope: TeamScope, placed: PlacedSummary, record: SummaryRecord, condition: Expression) {
    const key = summaryItemKey(scope, placed.place);
    const sealed = encryptSummary(await this.#seals.forUser(scope, placed.userId), key, record);
    await this.#table.put({ ...sealed, ...indexAttributes(scope, placed.kind, record) }, condition);
  }

  /** Returns the summary with a natural key. */
  async get(scope: TeamScope, of: NaturalKey): Promise<SummaryRecord | undefined> {
    const item = await this.#table.get(summaryItemKey(scope, of), encryptedSummary);
    return item && this.#opened(scope, item);
  }

  /** Returns the summary of one kind with this id, of any user of the team. Eventually consistent: reads the index. */
  async findById(scope: TeamScope, kind: SummaryKind, id: string): Promise<SummaryRecord | undefined> {
    const [item] = (await this.#table.query(idQuery(scope, kind, id), encryptedSummary)).items;
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
    days: DayRange,
    asOfMs?: number,
  ): Promise<SummaryRecord[]> {
    const query = dayRangeQuery(scope, userId, kind, days);
    if (asOfMs === undefined) return Array.fromAsync(this.#each(scope, query));
    const stored = await this.#keyed(scope, userId, query);
    return summariesAsOf(stored, await this.#versions.listAt(scope, userId, kind, days, asOfMs), asOfMs);
  }

  /** Returns all summaries of one kind, current or as of an instant (epoch ms). */
  async listAll(scope: TeamScope, userId: string, kind: SummaryKind, asOfMs?: number): Promise<SummaryRecord[]> {
    if (asOfMs === undefined) return Array.fromAsync(this.iterate(scope, userId, kind));
    const stored = await this.#keyed(scope, userId, kindQuery(scope, userId, kind));
    return summariesAsOf(stored, await this.#versions.listAt(scope, userId, kind, undefined, asOfMs), asOfMs);
  }

  /** Yields all summaries of one kind, or those of some days from a position of `summaryPlace` on, page by page. */
  iterate(scope: TeamScope, userId: string, kind: SummaryKind, days?: DayRange, first?: string) {
    const ofDays = days && dayRangeQuery(scope, userId, kind, days, "", first);
    return this.#each(scope, ofDays ?? kindQuery(scope, userId, kind));
  }

  async *#each(scope: TeamScope, query: Parameters<Table["query"]>[0]): AsyncGenerator<SummaryRecord> {
    const found = withoutReplaced(this.#table.queryAll(query, encryptedSummary));
    for await (const item of found) yield await this.#opened(scope, item);
  }

  async #keyed(scope: TeamScope, userId: string, query: Parameters<Table["query"]>[0]) {
    const items = await Array.fromAsync(this.#table.queryAll(query, sortableSummary));
    if (items.length === 0) return [];
    const seal = await this.#seals.forUser(scope, userId);
    return items.map((item) => decryptSortable(seal, item));
  }

  async #opened(scope: TeamScope, item: z.output<typeof encryptedSummary>): Promise<SummaryRecord> {
    return decryptSummary(await this.#seals.forUser(scope, item.user_id), item);
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(summaryPartition(scope, userId));
  }
}
