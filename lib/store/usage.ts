import * as z from "zod";
import { usage } from "../contract/resources.ts";
import { type DayCounts, utcDate } from "../domain/usage/usage-day.ts";
import type { Payer } from "../domain/work.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { MOST_AHEAD_S, openWindow, takeMore } from "./request-window.ts";
import type { Key, Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import type { WriteItem } from "./transaction.ts";
import { type Charge, chargeWork, workKey } from "./work-charges.ts";

/** A container's wish for requests that it may let through. */
export interface LeaseWish {
  /** Epoch seconds. */
  readonly second: number;
  readonly tokens: number;
  /** Requests of the team that all containers together may let through within the second. */
  readonly limit: number;
  /** Requests that were let through and are not counted yet. */
  readonly count: number;
  /** Whether another container most likely has asked in this second: spares a write that would be refused. */
  readonly isOpened: boolean;
}

/** What a container was given. */
export interface Lease {
  /** None when the limit is reached. */
  readonly tokens: number;
  readonly isOpened: boolean;
}

/** How often a lease is tried that meets others. */
const LEASE_ATTEMPTS = 10;
/** Batches of a team that are stored at the same time count in one of so many items each. */
const SHARDS = 8;

const partition = (teamId: string) => `${usage.keyPrefix}${teamId}`;
const dayKey = (teamId: string, of: string, date: string): Key => ({ pk: partition(teamId), sk: `${of}#${date}` });
const gaugeKey = (teamId: string, userId: string): Key => ({ pk: partition(teamId), sk: `user#${userId}` });

const windowItem = z.object({ second: z.number(), used: z.number() });
const gaugeItem = z.object({ bytes: z.number() });
const number = z.number().optional();
const dayItem = z
  .object({ sk: z.string(), requests: number, samples: number, bytes: number, events: number, deliveries: number })
  .transform(({ sk, ...counts }): DayCounts => ({ date: sk.split("#")[1] ?? "", ...counts }));

/** Counts what teams use, by day (UTC), and hands out the requests that they may still make within a second. */
export class UsageStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Takes requests from what is left of a second, fewer than wished when fewer are left, and counts earlier ones by the
   * same write. Nothing is written when none is left.
   */
  async takeRequests(teamId: string, { second, tokens, limit, count, isOpened }: LeaseWish): Promise<Lease> {
    const key = dayKey(teamId, "requests", utcDate(second * 1000));
    let wish = { window: second, tokens: Math.min(tokens, limit), isOpened };
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#table.update(key, wish.isOpened ? takeMore(wish, limit, count) : openWindow(wish, count));
        return wish;
      } catch (error) {
        if (!(error instanceof ConditionFailed) || attempt === LEASE_ATTEMPTS) throw error;
        const { data: stored } = windowItem.safeParse(error.items.get(0));
        if (!stored || stored.second < second || stored.second > second + MOST_AHEAD_S) {
          wish = { ...wish, window: second, isOpened: false };
          continue;
        }
        const left = limit - stored.used;
        if (left <= 0) return { tokens: 0, isOpened: true };
        wish = { window: stored.second, tokens: Math.min(wish.tokens, left), isOpened: true };
      }
    }
  }

  /** Takes work from a budget. @returns 0, or in how many milliseconds there will be enough. */
  chargeWork(payer: Payer, charge: Charge): Promise<number> {
    return chargeWork(this.#table, payer, charge);
  }

  /** Counts requests of a day that is over. */
  async addRequests(teamId: string, date: string, count: number): Promise<void> {
    await this.#table.update(dayKey(teamId, "requests", date), adding({ requests: count }));
  }

  /** Counts an attempt at a delivery. */
  async addDelivery(scope: TeamScope, nowMs: number): Promise<void> {
    await this.#table.update(dayKey(scope.teamId, "deliveries", utcDate(nowMs)), adding({ deliveries: 1 }));
  }

  /** Counts events, in the transaction that gives them their places. */
  eventsItem(teamId: string, count: number, nowMs: number): WriteItem {
    return this.#item(dayKey(teamId, "events", utcDate(nowMs)), { events: count });
  }

  /**
   * Counts what a batch brought, in the transaction that closes its receipt.
   * @param spread any number that differs from batch to batch.
   * @param bytes by how much the stored data of the user grew.
   */
  batchItems(
    scope: TeamScope,
    userId: string,
    batch: { samples: number; bytes: number; spread: number },
    nowMs: number,
  ) {
    const { samples, bytes, spread } = batch;
    if (samples === 0 && bytes === 0) return [];
    const { pk, sk } = dayKey(scope.teamId, "samples", utcDate(nowMs));
    const ofDay = this.#item({ pk, sk: `${sk}#${spread % SHARDS}` }, { samples, bytes });
    return bytes === 0 ? [ofDay] : [ofDay, this.#item(gaugeKey(scope.teamId, userId), { bytes })];
  }

  /** Whether it is noted how much a user has stored. */
  async knows(scope: TeamScope, userId: string): Promise<boolean> {
    return (await this.#table.get(gaugeKey(scope.teamId, userId), gaugeItem)) !== undefined;
  }

  /** Takes what a user had stored from what its team has. @returns how many notes there were of it. */
  async eraseUser(
    scope: TeamScope,
    userId: string,
    nowMs: number,
    write: (items: readonly WriteItem[]) => Promise<void>,
  ) {
    await this.#table.remove(workKey({ kind: "user", teamId: scope.teamId, userId }));
    const key = gaugeKey(scope.teamId, userId);
    const { bytes } = (await this.#table.get(key, gaugeItem)) ?? {};
    if (bytes === undefined) return 0;
    const { pk, sk } = dayKey(scope.teamId, "samples", utcDate(nowMs));
    const isSame = { ConditionExpression: "bytes = :bytes", ExpressionAttributeValues: { ":bytes": bytes } };
    const forget = { TableName: this.#table.name, Key: key, ...isSame };
    await write([{ Delete: forget }, this.#item({ pk, sk: `${sk}#0` }, { bytes: -bytes })]);
    return 1;
  }

  /** Forgets how much is stored of a user, and leaves what is counted of the team. */
  forgetUser(scope: TeamScope, userId: string): Promise<void> {
    return this.#table.remove(gaugeKey(scope.teamId, userId));
  }

  /** What was counted of a team on the days of a range, and of its stored data on all days before. */
  async list(scope: TeamScope, { first, last }: { first: string; last: string }): Promise<DayCounts[]> {
    if (first > last) return [];
    const days = (of: string, from: string) => this.#days(scope.teamId, `${of}#${from}`, `${of}#${last}~`);
    const found = await Promise.all([
      days("requests", first),
      days("samples", ""),
      days("events", first),
      days("deliveries", first),
    ]);
    return found.flat();
  }

  #days(teamId: string, from: string, to: string): Promise<DayCounts[]> {
    const input = {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
      ExpressionAttributeValues: { ":pk": partition(teamId), ":from": from, ":to": to },
    };
    return Array.fromAsync(this.#table.all(input, dayItem));
  }

  #item(key: Key, counts: Readonly<Record<string, number>>): WriteItem {
    return { Update: { TableName: this.#table.name, Key: key, ...adding(counts) } };
  }
}

/** An update that adds to counters. */
function adding(counts: Readonly<Record<string, number>>) {
  const names = Object.keys(counts);
  return {
    UpdateExpression: `ADD ${names.map((name) => `#${name} :${name}`).join(", ")}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(names.map((name) => [`:${name}`, counts[name]])),
  };
}
