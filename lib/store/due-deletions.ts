import { users } from "../contract/resources.ts";
import { type UserRecord, userRecord } from "../domain/user.ts";
import type { Table } from "./table.ts";

/** Deletions waiting for the end of their grace period stand in one sparse index partition. */
export const DELETIONS_DUE = `${users.keyPrefix}deletions`;

/** Deletions whose grace period ended before `now`, and the next end of one after it. @param now ISO 8601. */
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
