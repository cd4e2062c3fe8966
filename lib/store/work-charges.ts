import * as z from "zod";
import { usage } from "../contract/resources.ts";
import type { Payer } from "../domain/work.ts";
import { ConditionFailed } from "./condition-failed.ts";
import type { Key, Table } from "./table.ts";

/** What is to be charged, in the time that its budget takes to pay for it. */
export interface Charge {
  readonly costMs: number;
  /** How far ahead of now a budget may be spent. */
  readonly burstMs: number;
  readonly nowMs: number;
  /** Whether the work is done already, so that the budget pays for it whatever is left. */
  readonly isDone?: boolean;
}

const ATTEMPTS = 10;
const spentItem = z.object({ spent_until: z.number() });

function partitionOf(payer: Payer): string {
  if (payer.kind === "organisation") return `${usage.keyPrefix}org#${payer.orgId}`;
  return `${usage.keyPrefix}${payer.kind === "address" ? `address#${payer.group}` : payer.teamId}`;
}

/** Where the budget of a payer is noted. */
export const workKey = (payer: Payer): Key => ({
  pk: partitionOf(payer),
  sk: payer.kind === "user" ? `work#user#${payer.userId}` : `work#${payer.kind}`,
});

/**
 * Takes work from a budget by one conditional write: an item tells until when the budget is spent, and each charge moves
 * that on, at most the burst ahead of now. What costs more than the whole budget is let through when all of it is there.
 * @returns 0, or in how many milliseconds there will be enough.
 */
export async function chargeWork(table: Table, payer: Payer, charge: Charge): Promise<number> {
  const { costMs, burstMs, nowMs, isDone = false } = charge;
  const key = workKey(payer);
  const room = nowMs + burstMs - costMs;
  let isIdle = false;
  for (let attempt = 1; ; attempt++) {
    try {
      await table.update(key, isIdle ? begin(nowMs, costMs) : moveOn(nowMs, costMs, isDone ? undefined : room));
      return 0;
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === ATTEMPTS) throw error;
      const { data: stored } = spentItem.safeParse(error.items.get(0));
      isIdle = stored === undefined || stored.spent_until <= nowMs;
      if (!isIdle && !isDone && stored && stored.spent_until > room) return stored.spent_until - Math.max(room, nowMs);
    }
  }
}

/** A budget of which nothing is spent. */
const begin = (nowMs: number, costMs: number) => ({
  UpdateExpression: "SET spent_until = :after",
  ConditionExpression: "attribute_not_exists(spent_until) OR spent_until <= :now",
  ExpressionAttributeValues: { ":after": nowMs + costMs, ":now": nowMs },
});

/** A budget that is in use. */
const moveOn = (nowMs: number, costMs: number, room: number | undefined) => ({
  UpdateExpression: "ADD spent_until :cost",
  ConditionExpression: `spent_until > :now${room === undefined ? "" : " AND spent_until <= :room"}`,
  ExpressionAttributeValues: { ":cost": costMs, ":now": nowMs, ...(room === undefined ? {} : { ":room": room }) },
});
