import * as z from "zod";
import { usage } from "../../contract/resources.ts";
import { type DayCounts, utcDate } from "../../domain/usage/usage-day.ts";
import type { BudgetOwner } from "../../domain/usage/work-budget.ts";
import type { AttemptCount } from "../../events/webhooks/delivery-metric.ts";
import { ConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";
import { ATTEMPTS, attemptPartitions, type CountedAttempt, countAttempt, listAttemptCounts } from "./attempt-counts.ts";
import { firstLeaseUpdate, furtherLeaseUpdate, MAX_CLOCK_SKEW_S } from "./request-window.ts";
import { chargeWork, type WorkCharge, workBudgetKey } from "./work-charges.ts";

/** Requests that a container wants to lease from the rate limit. */
export interface RequestLeaseInput {
  /** Epoch seconds. */
  readonly second: number;
  readonly tokens: number;
  /** Requests of the team that all containers together may allow within the second. */
  readonly limit: number;
  /** Requests that were allowed and are not counted yet. */
  readonly count: number;
  /** Whether another container has probably leased in this second. Saves a write that would fail. */
  readonly isWindowOpen: boolean;
}

/** The leased requests. */
export interface RequestLease {
  /** 0 when the limit is reached. */
  readonly tokens: number;
  readonly isWindowOpen: boolean;
}

/** Attempts of a lease that conflicts with others. */
const LEASE_ATTEMPTS = 10;
/** Number of counter items for batches of a team, so that concurrent batches do not contend. */
const SHARDS = 8;

const partition = (teamId: string) => `${usage.keyPrefix}${teamId}`;
const dayKey = (teamId: string, of: string, date: string): Key => ({ pk: partition(teamId), sk: `${of}#${date}` });
const gaugeKey = (teamId: string, userId: string): Key => ({ pk: partition(teamId), sk: `user#${userId}` });

const windowItem = z.object({ second: z.number(), used: z.number() });
const gaugeItem = z.object({ bytes: z.number() });
const number = z.number().optional();
const dayItem = z
  .object({ sk: z.string(), requests: number, samples: number, bytes: number, events: number, deliveries: number })
  // The sort key names a day, or an hour of it.
  .transform(({ sk, ...counts }): DayCounts => ({ date: sk.split("#")[1]?.slice(0, 10) ?? "", ...counts }));

/** Counts the usage of teams by day (UTC), and leases the requests that remain within a second. */
export class UsageStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Leases requests of a second, fewer than requested if fewer remain, and counts earlier requests in the same write.
   * Writes nothing if none remain.
   */
  async leaseRequests(
    teamId: string,
    { second, tokens, limit, count, isWindowOpen }: RequestLeaseInput,
  ): Promise<RequestLease> {
    const key = dayKey(teamId, "requests", utcDate(second * 1000));
    let wish = { window: second, tokens: Math.min(tokens, limit), isWindowOpen };
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#table.update(
          key,
          wish.isWindowOpen ? furtherLeaseUpdate(wish, limit, count) : firstLeaseUpdate(wish, count),
        );
        return wish;
      } catch (error) {
        if (!(error instanceof ConditionFailed) || attempt === LEASE_ATTEMPTS) throw error;
        const { data: stored } = windowItem.safeParse(error.items.get(0));
        if (!stored || stored.second < second || stored.second > second + MAX_CLOCK_SKEW_S) {
          wish = { ...wish, window: second, isWindowOpen: false };
          continue;
        }
        const left = limit - stored.used;
        if (left <= 0) return { tokens: 0, isWindowOpen: true };
        wish = { window: stored.second, tokens: Math.min(wish.tokens, left), isWindowOpen: true };
      }
    }
  }

  /** Charges work to a budget. @returns 0, or the milliseconds until the budget suffices. */
  chargeWork(payer: BudgetOwner, charge: WorkCharge): Promise<number> {
    return chargeWork(this.#table, payer, charge);
  }

  /** Counts requests of a past day. */
  async addRequests(teamId: string, date: string, count: number): Promise<void> {
    await this.#table.update(dayKey(teamId, "requests", date), addExpression({ requests: count }));
  }

  /** Counts a delivery attempt and its outcome. */
  addAttempt(scope: TeamScope, attempt: CountedAttempt, nowMs: number): Promise<void> {
    return countAttempt(this.#table, scope, attempt, nowMs);
  }

  /** Returns the attempts of a team by five minutes and outcome, from an instant on. */
  listAttempts(scope: TeamScope, sinceMs: number): Promise<AttemptCount[]> {
    return listAttemptCounts(this.#table, scope, sinceMs);
  }

  /** Builds the writes that add the counts of a finished day, for the transaction that takes them from the feed. */
  addDayItems(teamId: string, { date, events = 0, samples = 0, bytes = 0 }: DayCounts): WriteItem[] {
    const { pk, sk } = dayKey(teamId, "samples", date);
    return [
      ...(events === 0 ? [] : [this.#item(dayKey(teamId, "events", date), { events })]),
      ...(samples === 0 && bytes === 0 ? [] : [this.#item({ pk, sk: `${sk}#feed` }, { samples, bytes })]),
    ];
  }

  /**
   * Builds the write that counts a batch without events, for the transaction that closes its receipt; none for a batch
   * without counts.
   * @param batch `spread` differs between batches and selects the counter item; `bytes` is the growth of stored data.
   */
  addBatchItems(scope: TeamScope, batch: { samples: number; bytes: number; spread: number }, nowMs: number) {
    const { samples, bytes, spread } = batch;
    if (samples === 0 && bytes === 0) return [];
    const { pk, sk } = dayKey(scope.teamId, "samples", utcDate(nowMs));
    return [this.#item({ pk, sk: `${sk}#${spread % SHARDS}` }, { samples, bytes })];
  }

  /** Whether a version that recorded a user's stored bytes here has left them. */
  async hasStoredBytes(scope: TeamScope, userId: string): Promise<boolean> {
    return (await this.#table.get(gaugeKey(scope.teamId, userId), gaugeItem)) !== undefined;
  }

  /**
   * Subtracts a user's stored bytes from the usage of the team.
   * @param held the bytes that the statistics of delivered data hold, and the writes that take them out.
   * @returns the number of deleted records.
   */
  async eraseUser(
    scope: TeamScope,
    userId: string,
    held: { readonly bytes: number; readonly items: readonly WriteItem[] },
    nowMs: number,
    write: (items: readonly WriteItem[]) => Promise<void>,
  ) {
    await this.#table.delete(workBudgetKey({ kind: "user", teamId: scope.teamId, userId }));
    const key = gaugeKey(scope.teamId, userId);
    const { bytes } = (await this.#table.get(key, gaugeItem)) ?? {};
    if (bytes === undefined && held.bytes === 0) return 0;
    const { pk, sk } = dayKey(scope.teamId, "samples", utcDate(nowMs));
    const isSame = { ConditionExpression: "bytes = :bytes", ExpressionAttributeValues: { ":bytes": bytes } };
    const forget = bytes === undefined ? [] : [{ Delete: { TableName: this.#table.name, Key: key, ...isSame } }];
    const subtract = this.#item({ pk, sk: `${sk}#0` }, { bytes: -(bytes ?? 0) - held.bytes });
    await write([...forget, ...held.items, subtract]);
    return forget.length + held.items.length;
  }

  /** Deletes the stored bytes of a user and leaves the usage of the team. */
  removeUser(scope: TeamScope, userId: string): Promise<void> {
    return this.#table.delete(gaugeKey(scope.teamId, userId));
  }

  /** Returns the counts of a team for the days of a range, and of its stored data for all earlier days. */
  async listDays(scope: TeamScope, { first, last }: { first: string; last: string }): Promise<DayCounts[]> {
    if (first > last) return [];
    const team = partition(scope.teamId);
    const days = (of: string, from: string, pk = team) => this.#days(pk, `${of}#${from}`, `${of}#${last}~`);
    const found = await Promise.all([
      days("requests", first),
      days("samples", ""),
      days("events", first),
      ...attemptPartitions(scope).map((pk) => days(ATTEMPTS, first, pk)),
    ]);
    return found.flat();
  }

  #days(pk: string, from: string, to: string): Promise<DayCounts[]> {
    const KeyConditionExpression = "pk = :pk AND sk BETWEEN :from AND :to";
    const input = { KeyConditionExpression, ExpressionAttributeValues: { ":pk": pk, ":from": from, ":to": to } };
    return Array.fromAsync(this.#table.queryAll(input, dayItem));
  }

  #item(key: Key, counts: Readonly<Record<string, number>>): WriteItem {
    return { Update: { TableName: this.#table.name, Key: key, ...addExpression(counts) } };
  }
}

/** Builds an update that adds to counters. */
function addExpression(counts: Readonly<Record<string, number>>) {
  const names = Object.keys(counts);
  return {
    UpdateExpression: `ADD ${names.map((name) => `#${name} :${name}`).join(", ")}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, counts[name]])),
  };
}
