import { DatabaseSync, type StatementSync } from "node:sqlite";

/** A stored webhook. `id` increases with each webhook and is never reused. */
export interface StoredWebhook {
  readonly id: number;
  /** ISO instant. */
  readonly received_at: string;
  readonly event_type: string | null;
  readonly user_id: string | null;
  readonly verified: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** The exact text as received. */
  readonly body: string;
}

/** A stored webhook without headers and body. */
export type WebhookSummary = Omit<StoredWebhook, "headers" | "body">;

/** Maximum number of stored deliveries. The oldest are deleted. */
const MAX_DELIVERIES = 20_000;

/** Number of deliveries per query. Bodies may be large, so the table never reads all of them at once. */
const PAGE_SIZE = 100;

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS delivery (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    received_at TEXT NOT NULL,
    event_type TEXT,
    user_id TEXT,
    verified INTEGER NOT NULL,
    headers TEXT NOT NULL,
    body TEXT NOT NULL
  )`;

const statements = {
  insert: `INSERT INTO delivery (received_at, event_type, user_id, verified, headers, body) VALUES (?, ?, ?, ?, ?, ?)`,
  trim: `DELETE FROM delivery WHERE id <= ? - ${MAX_DELIVERIES}`,
  clear: "DELETE FROM delivery",
  clearType: "DELETE FROM delivery WHERE event_type = ?",
  clearPrefix: "DELETE FROM delivery WHERE substr(event_type, 1, length(?1)) = ?1",
  find: "SELECT * FROM delivery WHERE id = ?",
  entries: "SELECT id, received_at, event_type, user_id, verified FROM delivery ORDER BY id",
  page: `SELECT * FROM delivery WHERE id > ? ORDER BY id LIMIT ${PAGE_SIZE}`,
  pageOfType: `SELECT * FROM delivery WHERE id > ? AND event_type = ? ORDER BY id LIMIT ${PAGE_SIZE}`,
  pageOfPrefix: `SELECT * FROM delivery WHERE id > ? AND substr(event_type, 1, length(?2)) = ?2 ORDER BY id LIMIT ${PAGE_SIZE}`,
} as const;

type Row = ReturnType<StatementSync["get"]> & {};

/**
 * The received webhooks in one SQLite file (or ":memory:"). With a write-ahead log an accepted delivery survives a
 * killed process.
 */
export class InboxTable {
  readonly #database: DatabaseSync;
  readonly #run: Readonly<Record<keyof typeof statements, StatementSync>>;

  constructor(path: string) {
    const database = new DatabaseSync(path);
    database.exec(schema);
    const prepare = (name: keyof typeof statements) => database.prepare(statements[name]);
    this.#database = database;
    this.#run = {
      insert: prepare("insert"),
      trim: prepare("trim"),
      clear: prepare("clear"),
      clearType: prepare("clearType"),
      clearPrefix: prepare("clearPrefix"),
      find: prepare("find"),
      entries: prepare("entries"),
      page: prepare("page"),
      pageOfType: prepare("pageOfType"),
      pageOfPrefix: prepare("pageOfPrefix"),
    };
  }

  /** Stores a delivery and deletes the oldest beyond {@link MAX_DELIVERIES}. @returns the delivery's id. */
  add({ received_at, event_type, user_id, verified, headers, body }: Omit<StoredWebhook, "id">): number {
    const flag = verified ? 1 : 0;
    const { lastInsertRowid } = this.#run.insert.run(
      received_at,
      event_type,
      user_id,
      flag,
      JSON.stringify(headers),
      body,
    );
    this.#run.trim.run(lastInsertRowid);
    return Number(lastInsertRowid);
  }

  /** Deletes all deliveries, or those of an event type or of a prefix that ends in a dot. */
  clear(eventType?: string): void {
    if (eventType === undefined) this.#run.clear.run();
    else (eventType.endsWith(".") ? this.#run.clearPrefix : this.#run.clearType).run(eventType);
  }

  find(id: number): StoredWebhook | undefined {
    const row = this.#run.find.get(id);
    return row && toStoredWebhook(row);
  }

  /** Summaries of all deliveries, oldest first. */
  entries(): WebhookSummary[] {
    return this.#run.entries.all().map(toSummary);
  }

  /** Deliveries, oldest first. @param eventType an event type, or a prefix that ends in a dot. */
  *deliveries(eventType?: string): Generator<StoredWebhook> {
    let after = 0;
    for (let rows = this.#page(after, eventType); rows.length > 0; rows = this.#page(after, eventType)) {
      yield* rows;
      after = rows.at(-1)?.id ?? after;
    }
  }

  #page(after: number, eventType: string | undefined): StoredWebhook[] {
    if (eventType === undefined) return this.#run.page.all(after).map(toStoredWebhook);
    const page = eventType.endsWith(".") ? this.#run.pageOfPrefix : this.#run.pageOfType;
    return page.all(after, eventType).map(toStoredWebhook);
  }

  close(): void {
    this.#database.close();
  }
}

const textOrNull = (value: unknown): string | null => (value === null ? null : String(value));

function toSummary(row: Row): WebhookSummary {
  return {
    id: Number(row.id),
    received_at: String(row.received_at),
    event_type: textOrNull(row.event_type),
    user_id: textOrNull(row.user_id),
    verified: row.verified === 1,
  };
}

function toStoredWebhook(row: Row): StoredWebhook {
  const headers: Record<string, string> = JSON.parse(String(row.headers));
  return { ...toSummary(row), headers, body: String(row.body) };
}
