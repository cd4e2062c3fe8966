import { users } from "../contract/resources.ts";
import { type UserRecord, userRecord } from "../domain/user.ts";
import type { Table } from "./table.ts";

/** Index partition of all user deletions that wait for the end of their grace period. */
export const DELETIONS_DUE = `${users.keyPrefix}deletions`;

/** Returns deletions whose grace period ended before `now`, and the next end of a grace period. @param now ISO 8601. */
export async function findDueDeletions(
  table: Table,
  now: string,
): Promise<{ due: UserRecord[]; nextDueAt: string | undefined }> {
  const due: UserRecord[] = [];
  const input = {
    IndexName: "due",
    KeyConditionExpression: "due_shard = :due",
    ExpressionAttributeValues: { ":due": DELETIONS_DUE },
  };
  for await (const user of table.all(input, userRecord)) {
    if ((user.erase_at ?? "") > now) return { due, nextDueAt: user.erase_at };
    due.push(user);
  }
  return { due, nextDueAt: undefined };
}
