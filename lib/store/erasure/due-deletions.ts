import { users } from "../../contract/resources.ts";
import { type UserRecord, userRecord } from "../../domain/users/user.ts";
import { type DueItems, findDueItems } from "../due-index.ts";
import type { Table } from "../table.ts";

/** Index partition of all user deletions that wait for the end of their grace period. */
export const USER_DELETION_SHARD = `${users.keyPrefix}deletions`;

/** Returns deletions whose grace period ended before `now`, and the next end of a grace period. @param now ISO 8601. */
export const findDueDeletions = (table: Table, now: string): Promise<DueItems<UserRecord>> =>
  findDueItems(
    table,
    { partitions: [USER_DELETION_SHARD], schema: userRecord, dueAt: ({ erase_at = "" }: UserRecord) => erase_at },
    now,
  );
