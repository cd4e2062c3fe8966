import type { ItemUpdate } from "../table.ts";
import type { HeldLease } from "./lease-queue.ts";

/** Updates a lease on a condition. @returns the lease; undefined if the condition failed. */
type ChangeLease = (change: ItemUpdate) => Promise<{ readonly return_ms?: number | undefined } | undefined>;

/**
 * Reserves the next times at which deliveries return that the waiting list of a lease has no room for: behind those that
 * wait and those that reserved before, at the pace of the lease. A backlog thus costs few messages more than it has
 * deliveries.
 * @returns the first of the times, epoch ms.
 */
export async function reserveReturn(
  changeLease: ChangeLease,
  { waitingCount, paceMs }: HeldLease,
  count: number,
  nowMs: number,
): Promise<number> {
  const firstMs = nowMs + waitingCount * paceMs;
  const spanMs = count * paceMs;
  const behindOthers = await changeLease({
    UpdateExpression: "SET return_ms = return_ms + :span",
    ConditionExpression: "return_ms > :first",
    ExpressionAttributeValues: { ":span": spanMs, ":first": firstMs },
  });
  if (behindOthers?.return_ms !== undefined) return behindOthers.return_ms - spanMs;
  await changeLease({
    UpdateExpression: "SET return_ms = :next",
    ConditionExpression: "attribute_exists(fence) AND (attribute_not_exists(return_ms) OR return_ms <= :first)",
    ExpressionAttributeValues: { ":next": firstMs + spanMs, ":first": firstMs },
  });
  // If another delivery reserved in between, both return at the same time.
  return firstMs;
}
