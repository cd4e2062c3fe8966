import { DatabaseSync } from "node:sqlite";
import type { EventEnvelope } from "./envelope.ts";
import type { RuleTarget } from "./rules.ts";

/** Delivery of one event to one target. Instants are epoch ms. */
export interface PendingDelivery {
  ruleName: string;
  ruleArn: string;
  target: RuleTarget;
  event: EventEnvelope;
  acceptedAt: number;
  /** Number of failed attempts. */
  failures: number;
  nextAttemptAt: number;
}

/** A delivery in the table. */
export type StoredDelivery = PendingDelivery & { id: number };

/** Pending deliveries in SQLite. They survive a killed process. */
export class PendingTable {
  readonly #db: DatabaseSync;

  /** @param path database file, or ":memory:". */
  constructor(path: string) {
    this.#db = new DatabaseSync(path);
    // With a write-ahead log a commit survives a killed process without an fsync.
    this.#db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    this.#db.exec("CREATE TABLE IF NOT EXISTS pending_delivery (id INTEGER PRIMARY KEY, delivery TEXT NOT NULL)");
  }

  /** Stores the deliveries in one transaction. */
  add(deliveries: readonly PendingDelivery[]): StoredDelivery[] {
    const insert = this.#db.prepare("INSERT INTO pending_delivery (delivery) VALUES (?)");
    this.#db.exec("BEGIN");
    try {
      const stored = deliveries.map((delivery) => {
        const { lastInsertRowid } = insert.run(JSON.stringify(delivery));
        return { ...delivery, id: Number(lastInsertRowid) };
      });
      this.#db.exec("COMMIT");
      return stored;
    } catch (error) {
      this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  update({ id, ...delivery }: StoredDelivery): void {
    this.#db.prepare("UPDATE pending_delivery SET delivery = ? WHERE id = ?").run(JSON.stringify(delivery), id);
  }

  remove(id: number): void {
    this.#db.prepare("DELETE FROM pending_delivery WHERE id = ?").run(id);
  }

  /** All pending deliveries, oldest first. */
  all(): StoredDelivery[] {
    const rows = this.#db.prepare("SELECT id, delivery FROM pending_delivery ORDER BY id").all();
    return rows.map((row) => {
      const delivery: PendingDelivery = JSON.parse(String(row.delivery));
      return { ...delivery, id: Number(row.id) };
    });
  }

  close(): void {
    this.#db.close();
  }
}
