import { MINUTE_MS } from "../shared/durations.ts";
import type { UserRecord } from "../users/user.ts";

/**
 * Time before the end of a grace period in which nothing is stored any more. It exceeds the run of any function that
 * stores data (a minute) and differences between clocks. So nothing is written once the erasure can begin.
 */
const LAST_STORE_MS = 10 * MINUTE_MS;

/**
 * What happens to data of a user that the service accepted before. It is stored for an active user, and for a deleted
 * one whom an undo can restore. Shortly before the erasure can begin it waits for the undo. Without one it is dropped. One
 * delay of a queue is longer than the wait.
 * @param nowMs epoch milliseconds.
 */
export function howToStore(
  user: Pick<UserRecord, "lifecycle" | "erase_at"> | undefined,
  nowMs: number,
): "store" | "wait" | "drop" {
  if (user?.lifecycle === "active") return "store";
  if (user?.lifecycle !== "pending_erasure") return "drop";
  return Date.parse(user.erase_at ?? "") - nowMs > LAST_STORE_MS ? "store" : "wait";
}
