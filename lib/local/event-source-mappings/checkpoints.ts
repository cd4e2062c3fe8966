import { DatabaseSync, type StatementSync } from "node:sqlite";

/** The last processed sequence number of each stream. Survives restarts. */
export class Checkpoints {
  readonly #database: DatabaseSync;
  readonly #select: StatementSync;
  readonly #upsert: StatementSync;

  /** @param path the database file, or ":memory:". */
  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    this.#database.exec(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE IF NOT EXISTS checkpoint (stream TEXT PRIMARY KEY, sequence TEXT NOT NULL)",
    );
    this.#select = this.#database.prepare("SELECT sequence FROM checkpoint WHERE stream = ?");
    this.#upsert = this.#database.prepare("INSERT OR REPLACE INTO checkpoint VALUES (?, ?)");
  }

  get(stream: string): string | undefined {
    return this.#select.get(stream)?.sequence?.toString();
  }

  set(stream: string, sequence: string): void {
    this.#upsert.run(stream, sequence);
  }

  close(): void {
    this.#database.close();
  }
}
