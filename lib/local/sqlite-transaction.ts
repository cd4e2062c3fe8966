import type { DatabaseSync } from "node:sqlite";

/** Runs `work` as one transaction: all of it is written, or none when it throws. */
export function atomically<Result>(database: DatabaseSync, work: () => Result): Result {
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
