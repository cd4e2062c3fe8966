import * as z from "zod";
import { usage } from "../../contract/resources.ts";
import type { BudgetOwner } from "../../domain/usage/work-budget.ts";
import { ConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";

/** A charge to a work budget, in the time that the budget takes to refill by it. */
export interface WorkCharge {
  readonly costMs: number;
  /** Burst: how far ahead of now a budget may be spent. */
  readonly burstMs: number;
  readonly nowMs: number;
  /** Whether the work is already done. The budget then pays in any case. */
  readonly isDone?: boolean;
}

const ATTEMPTS = 10;
const spentItem = z.object({ spent_until: z.number() });

function partitionOf(payer: BudgetOwner): string {
  if (payer.kind === "organisation") return `${usage.keyPrefix}org#${payer.orgId}`;
  return `${usage.keyPrefix}${payer.kind === "address" ? `address#${payer.group}` : payer.teamId}`;
}

/** Returns the key of a payer's budget. */
export const workBudgetKey = (payer: BudgetOwner): Key => ({
  pk: partitionOf(payer),
  sk: payer.kind === "user" ? `work#user#${payer.userId}` : `work#${payer.kind}`,
});

/**
 * Charges work to a budget in one conditional write. The item records until when the budget is spent; each charge
 * advances that time, at most the burst ahead of now. A charge that exceeds the whole budget passes when all of it is
 * available.
 * @returns 0, or the milliseconds until the budget suffices.
 */
export async function chargeWork(table: Table, payer: BudgetOwner, charge: WorkCharge): Promise<number> {
  const { costMs, burstMs, nowMs, isDone = false } = charge;
  const key = workBudgetKey(payer);
  const room = nowMs + burstMs - costMs;
  let isIdle = false;
  for (let attempt = 1; ; attempt++) {
    try {
      await table.update(
        key,
        isIdle ? firstChargeUpdate(nowMs, costMs) : furtherChargeUpdate(nowMs, costMs, isDone ? undefined : room),
      );
      return 0;
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === ATTEMPTS) throw error;
      const { data: stored } = spentItem.safeParse(error.items.get(0));
      isIdle = stored === undefined || stored.spent_until <= nowMs;
      if (!isIdle && !isDone && stored && stored.spent_until > room) return stored.spent_until - Math.max(room, nowMs);
    }
  }
}

/** Builds the charge to an unspent budget. */
const firstChargeUpdate = (nowMs: number, costMs: number) => ({
  UpdateExpression: "SET spent_until = :after",
  ConditionExpression: "attribute_not_exists(spent_until) OR spent_until <= :now",
  ExpressionAttributeValues: { ":after": nowMs + costMs, ":now": nowMs },
});

/** Builds the charge to a budget in use. */
const furtherChargeUpdate = (nowMs: number, costMs: number, room: number | undefined) => ({
  UpdateExpression: "ADD spent_until :cost",
  ConditionExpression: `spent_until > :now${room === undefined ? "" : " AND spent_until <= :room"}`,
  ExpressionAttributeValues: { ":cost": costMs, ":now": nowMs, ...(room === undefined ? {} : { ":room": room }) },
});
