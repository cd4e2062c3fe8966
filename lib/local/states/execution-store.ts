import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { runInTransaction } from "../sqlite-transaction.ts";
import type { StateEvent, StepOutcome } from "./asl-interpreter.ts";
import type { Position } from "./position.ts";

const executionRow = z.object({
  arn: z.string(),
  machineArn: z.string(),
  name: z.string(),
  status: z.enum(["RUNNING", "SUCCEEDED", "FAILED", "ABORTED"]),
  input: z.string(),
  output: z.string().nullable(),
  error: z.string().nullable(),
  cause: z.string().nullable(),
  startedAt: z.number(),
  stoppedAt: z.number().nullable(),
  redriveCount: z.number(),
  redrivenAt: z.number().nullable(),
  eventCount: z.number(),
  position: z.string().transform((text): Position => JSON.parse(text)),
});
/** A stored execution. Instants are epoch ms, input and output are JSON text. */
export type Execution = z.output<typeof executionRow>;

const eventRow = z.object({ id: z.number(), at: z.number(), type: z.string(), name: z.string(), data: z.string() });
/** An entry of an execution's history. `data` is the JSON text of an input, output or error, depending on the type. */
export type HistoryEvent = z.output<typeof eventRow>;

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS executions (
    arn TEXT PRIMARY KEY, machineArn TEXT NOT NULL, name TEXT NOT NULL, status TEXT NOT NULL,
    input TEXT NOT NULL, output TEXT, error TEXT, cause TEXT,
    startedAt REAL NOT NULL, stoppedAt REAL, redriveCount INTEGER NOT NULL DEFAULT 0, redrivenAt REAL,
    eventCount INTEGER NOT NULL DEFAULT 0, position TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS executionsOfMachine ON executions (machineArn, status);
  CREATE TABLE IF NOT EXISTS events (
    arn TEXT NOT NULL, id INTEGER NOT NULL, at REAL NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL,
    data TEXT NOT NULL, PRIMARY KEY (arn, id)
  ) STRICT;`;

/**
 * Executions and their histories in one SQLite file. Every method is one transaction. With a write-ahead log and
 * synchronous NORMAL a committed transaction survives a killed process.
 */
export class ExecutionStore {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    this.#database.exec(SCHEMA);
  }

  insert(execution: Pick<Execution, "arn" | "machineArn" | "name" | "input" | "startedAt">, begun: StepOutcome): void {
    this.#transaction(() => {
      const { arn, machineArn, name, input, startedAt } = execution;
      this.#database
        .prepare(
          `INSERT INTO executions (arn, machineArn, name, status, input, startedAt, position)
           VALUES (?, ?, ?, 'RUNNING', ?, ?, '[]')`,
        )
        .run(arn, machineArn, name, input, startedAt);
      this.#append(arn, startedAt, "ExecutionStarted", "", input);
      this.#apply(arn, begun, startedAt);
    });
  }

  /**
   * Saves the outcome of a step of `seen`.
   * @returns false, without saving, when the execution was stopped or redriven in the meantime.
   */
  save(seen: Execution, outcome: StepOutcome, now: number): boolean {
    return this.#transaction(() => {
      const stored = this.find(seen.arn);
      if (stored?.status !== "RUNNING" || stored.redriveCount !== seen.redriveCount) return false;
      this.#apply(seen.arn, outcome, now);
      return true;
    });
  }

  abort(arn: string, error: string | null, cause: string | null, now: number): void {
    this.#transaction(() => this.#close(arn, "ABORTED", { error, cause }, now));
  }

  /** Reopens a closed execution at `position`. */
  reopen(arn: string, position: Position, now: number): void {
    this.#transaction(() => {
      this.#database
        .prepare(
          `UPDATE executions SET status = 'RUNNING', error = NULL, cause = NULL, stoppedAt = NULL,
           redriveCount = redriveCount + 1, redrivenAt = ?, position = ? WHERE arn = ?`,
        )
        .run(now, JSON.stringify(position), arn);
      this.#append(arn, now, "ExecutionRedriven", "", "{}");
    });
  }

  find(arn: string): Execution | undefined {
    const row = this.#database.prepare("SELECT * FROM executions WHERE arn = ?").get(arn);
    return row && executionRow.parse(row);
  }

  /** The executions of a machine, newest first. */
  listByMachine(machineArn: string, status: string | undefined): Execution[] {
    const rows = this.#database
      .prepare(
        `SELECT * FROM executions WHERE machineArn = ? AND status = coalesce(?, status)
         ORDER BY startedAt DESC, rowid DESC`,
      )
      .all(machineArn, status ?? null);
    return rows.map((row) => executionRow.parse(row));
  }

  /** The history of an execution, oldest first. */
  listEvents(arn: string): HistoryEvent[] {
    const rows = this.#database.prepare("SELECT * FROM events WHERE arn = ? ORDER BY id").all(arn);
    return rows.map((row) => eventRow.parse(row));
  }

  close(): void {
    this.#database.close();
  }

  #apply(arn: string, outcome: StepOutcome, now: number): void {
    for (const { type, name, data } of outcome.events) this.#append(arn, now, type, name, JSON.stringify(data));
    if (outcome.status === "RUNNING") {
      const sql = "UPDATE executions SET position = ? WHERE arn = ?";
      this.#database.prepare(sql).run(JSON.stringify(outcome.position), arn);
    } else if (outcome.status === "SUCCEEDED") {
      this.#close(arn, "SUCCEEDED", { output: JSON.stringify(outcome.output) }, now);
    } else {
      this.#close(arn, "FAILED", { error: outcome.error ?? null, cause: outcome.cause }, now);
    }
  }

  #close(arn: string, status: Execution["status"], result: Partial<Execution>, now: number): void {
    const { output = null, error = null, cause = null } = result;
    this.#database
      .prepare("UPDATE executions SET status = ?, output = ?, error = ?, cause = ?, stoppedAt = ? WHERE arn = ?")
      .run(status, output, error, cause, now, arn);
    const type = `Execution${status.charAt(0)}${status.slice(1).toLowerCase()}`;
    this.#append(arn, now, type, "", output ?? JSON.stringify({ error, cause }));
  }

  #append(arn: string, at: number, type: StateEvent["type"], name: string, data: string): void {
    const counted = this.#database
      .prepare("UPDATE executions SET eventCount = eventCount + 1 WHERE arn = ? RETURNING eventCount AS id")
      .get(arn);
    const { id } = z.object({ id: z.number() }).parse(counted);
    this.#database.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)").run(arn, id, at, type, name, data);
  }

  #transaction<Result>(work: () => Result): Result {
    return runInTransaction(this.#database, work);
  }
}
