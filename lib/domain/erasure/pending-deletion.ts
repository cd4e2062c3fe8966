import { endAllPhones } from "../connections/link/phone-ends.ts";
import { phoneProvider } from "../connections/providers/phone-providers.ts";
import type { UserRecord } from "../users/user.ts";
import { GRACE_PERIOD_MS } from "./deletion-input.ts";

/**
 * Marks an active user as pending erasure, and ends all phones. Returns any other user as it is.
 * @param nowMs epoch milliseconds.
 */
export function withPendingDeletion(user: UserRecord, deletion_id: string, nowMs: number): UserRecord {
  if (user.lifecycle !== "active") return user;
  const erase_at = new Date(nowMs + GRACE_PERIOD_MS).toISOString();
  const deletion_requested_at = new Date(nowMs).toISOString();
  const phone_ends = endAllPhones(user, phoneProvider.options, deletion_requested_at);
  return { ...user, lifecycle: "pending_erasure", phone_ends, deletion_id, deletion_requested_at, erase_at };
}
