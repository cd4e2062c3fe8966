import type { DatabaseSync } from "node:sqlite";

/** Runs `work` in one transaction. Rolls back when `work` throws. */
export function runInTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}
