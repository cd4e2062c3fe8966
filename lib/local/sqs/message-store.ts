import { randomUUID } from "node:crypto";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { atomically } from "../sqlite-transaction.ts";
import type { MessageAttributes } from "./message-attributes.ts";
import { schema, statements } from "./message-sql.ts";

/** One message; instants are epoch milliseconds of the virtual clock, queues are named by ARN. */
export type MessageRow = {
  readonly seq: number;
  readonly id: string;
  readonly body: string;
  readonly attributes: string;
  readonly group_id: string | null;
  readonly sent_at: number;
  readonly receive_count: number;
  readonly first_received_at: number | null;
  readonly dead_letter_source: string | null;
};

/** A message to store; receivable from `visibleAt` on. */
export interface Insertion {
  readonly id: string;
  readonly queue: string;
  readonly body: string;
  readonly attributes: MessageAttributes;
  readonly groupId: string | null;
  readonly now: number;
  readonly visibleAt: number;
}

/** How many messages of a queue are receivable, delayed by their producer, and held by a consumer. */
export interface Depth {
  readonly visible: number;
  readonly delayed: number;
  readonly inFlight: number;
}

/** A queue seen at an instant; `retentionMs` after it was sent a message is gone. */
export interface Moment {
  readonly queue: string;
  readonly now: number;
  readonly retentionMs: number;
}

type Statements = Record<keyof typeof statements, StatementSync>;

/** What identifies a received message: its row and the receipt that its latest consumer holds. */
export interface Held {
  readonly seq: number;
  readonly receipt: string;
}

/**
 * The messages of all queues in one SQLite file (or ":memory:"). WAL with synchronous=NORMAL: a committed send is with
 * the operating system, so a killed process loses nothing; only a power cut could lose the last moments, and waiting
 * for the disk on every send is not worth that on a developer's machine.
 */
export class MessageStore {
  readonly #database: DatabaseSync;
  readonly #run: Statements;

  constructor(path: string) {
    const database = new DatabaseSync(path);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    database.exec(schema);
    database.function("new_id", () => randomUUID());
    const prepared = Object.entries(statements).map(([name, text]) => [name, database.prepare(text)]);
    this.#database = database;
    this.#run = Object.fromEntries(prepared) as Statements;
  }

  /** Runs `work` as one transaction. */
  atomically<Result>(work: () => Result): Result {
    return atomically(this.#database, work);
  }

  insert(message: Insertion): void {
    this.#run.insert.run({ ...message, attributes: JSON.stringify(message.attributes) });
  }

  /**
   * The receivable messages that have waited longest, expired ones among them; those of groups that are busy come when
   * there are no others, as in SQS fair queues.
   */
  visible({ queue, now }: Moment, max: number): MessageRow[] {
    const quiet = this.#run.visibleOfQuiet.all({ queue, now, max }) as MessageRow[];
    return quiet.length > 0 ? quiet : (this.#run.visible.all({ queue, now, max }) as MessageRow[]);
  }

  hasVisible(moment: Moment): boolean {
    return this.#run.hasVisible.get({ ...moment }) !== undefined;
  }

  /** The earliest instant at which a delayed or held message becomes receivable. */
  nextVisibleAt(moment: Moment): number | undefined {
    return this.#run.nextVisible.get({ ...moment })?.visible_at as number | undefined;
  }

  /** Counts a receive and hides the message until `visibleAt`. */
  take(held: Held, visibleAt: number, now: number): MessageRow {
    return this.#run.take.get({ ...held, visibleAt, now }) as MessageRow;
  }

  /** Hides a message that is still held until another instant; false if nobody holds it by this receipt. */
  hold(held: Held, visibleAt: number, moment: Moment): boolean {
    return this.#run.hold.run({ ...held, visibleAt, ...moment }).changes === 1;
  }

  /** Moves a message to a dead-letter queue; it keeps its age and its receive count. */
  bury(seq: number, deadLetterQueue: string, now: number): void {
    this.#run.bury.run({ seq, deadLetterQueue, now });
  }

  /** Moves what is receivable and came from `source` (from anywhere, if it is null) to `destination`, as new messages. */
  redrive(deadLetters: Moment, ends: { readonly source: string | null; readonly destination: string }): number {
    return Number(this.#run.redrive.run({ ...deadLetters, ...ends }).changes);
  }

  remove(seq: number): void {
    this.#run.remove.run({ seq });
  }

  removeReceived(held: Held, queue: string): void {
    this.#run.removeReceived.run({ ...held, queue });
  }

  removeAll(queue: string): void {
    this.#run.removeAll.run({ queue });
  }

  removeExpired(moment: Moment): void {
    this.#run.removeExpired.run({ ...moment });
  }

  depth(moment: Moment): Depth {
    const { visible, delayed, inFlight } = this.#run.depth.get({ ...moment }) ?? {};
    return { visible: Number(visible), delayed: Number(delayed), inFlight: Number(inFlight) };
  }

  /**
   * Makes every held message receivable. Consumers live in the process of the engine: whoever held a message when the
   * file was last in use is dead and will never delete it, so waiting for the visibility timeout would only delay the
   * retry. The receive count stays, or a message that kills its consumer would never reach the dead-letter queue.
   */
  releaseHeld(now: number): void {
    this.#run.release.run({ now });
  }

  close(): void {
    this.#database.close();
  }
}
