import { randomUUID } from "node:crypto";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { runInTransaction } from "../sqlite-transaction.ts";
import type { MessageAttributes } from "./message-attributes.ts";
import { messageSchema, messageStatements } from "./message-sql.ts";

/** A stored message. Instants are epoch milliseconds of the virtual clock, queues are ARNs. */
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

/** A message to store. It is visible from `visibleAt` on. */
export interface NewMessage {
  readonly id: string;
  readonly queue: string;
  readonly body: string;
  readonly attributes: MessageAttributes;
  readonly groupId: string | null;
  readonly now: number;
  readonly visibleAt: number;
}

/** Number of messages of a queue that are visible, delayed by their producer, and in flight. */
export interface QueueDepth {
  readonly visible: number;
  readonly delayed: number;
  readonly inFlight: number;
}

/** A queue at an instant. A message expires `retentionMs` after it was sent. */
export interface QueueView {
  readonly queue: string;
  readonly now: number;
  readonly retentionMs: number;
}

type Statements = Record<keyof typeof messageStatements, StatementSync>;

/** Identifies a received message: its row and the receipt of the latest receive. */
export interface MessageReceipt {
  readonly seq: number;
  readonly receipt: string;
}

/**
 * The messages of all queues in one SQLite file (or ":memory:"). With WAL and synchronous=NORMAL the operating system
 * has each committed send, so a killed process loses nothing. A power failure can lose the last commits; on a
 * developer's machine an fsync per send is not worth preventing that.
 */
export class MessageStore {
  readonly #database: DatabaseSync;
  readonly #run: Statements;

  constructor(path: string) {
    const database = new DatabaseSync(path);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    database.exec(messageSchema);
    database.function("new_id", () => randomUUID());
    const prepared = Object.entries(messageStatements).map(([name, text]) => [name, database.prepare(text)]);
    this.#database = database;
    this.#run = Object.fromEntries(prepared) as Statements;
  }

  /** Runs `work` in one transaction. */
  runInTransaction<Result>(work: () => Result): Result {
    return runInTransaction(this.#database, work);
  }

  insert(message: NewMessage): void {
    this.#run.insert.run({ ...message, attributes: JSON.stringify(message.attributes) });
  }

  /**
   * The visible messages, longest visible first, including expired ones. Messages of busy groups are returned only when
   * no others are visible, as in SQS fair queues.
   */
  visible({ queue, now }: QueueView, max: number): MessageRow[] {
    const quiet = this.#run.visibleOfQuiet.all({ queue, now, max }) as MessageRow[];
    return quiet.length > 0 ? quiet : (this.#run.visible.all({ queue, now, max }) as MessageRow[]);
  }

  hasVisible(moment: QueueView): boolean {
    return this.#run.hasVisible.get({ ...moment }) !== undefined;
  }

  /** The earliest instant at which a delayed or in-flight message becomes visible. */
  nextVisibleAt(moment: QueueView): number | undefined {
    return this.#run.nextVisible.get({ ...moment })?.visible_at as number | undefined;
  }

  /** Records a receive and hides the message until `visibleAt`. */
  receive(held: MessageReceipt, visibleAt: number, now: number): MessageRow {
    return this.#run.receive.get({ ...held, visibleAt, now }) as MessageRow;
  }

  /** Changes the visibility of an in-flight message. @returns false when the receipt is not valid any more. */
  changeVisibility(held: MessageReceipt, visibleAt: number, moment: QueueView): boolean {
    return this.#run.changeVisibility.run({ ...held, visibleAt, ...moment }).changes === 1;
  }

  /** Makes the messages visible that their producer delayed. @returns their number. */
  endDelays(moment: QueueView): number {
    return Number(this.#run.endDelays.run({ ...moment }).changes);
  }

  /** Moves a message to a dead-letter queue. Its age and its receive count stay. */
  moveToDeadLetters(seq: number, deadLetterQueue: string, now: number): void {
    this.#run.moveToDeadLetters.run({ seq, deadLetterQueue, now });
  }

  /** Moves the visible messages that came from `source` (any queue if null) to `destination`, as new messages. */
  redrive(deadLetters: QueueView, ends: { readonly source: string | null; readonly destination: string }): number {
    return Number(this.#run.redrive.run({ ...deadLetters, ...ends }).changes);
  }

  remove(seq: number): void {
    this.#run.remove.run({ seq });
  }

  removeReceived(held: MessageReceipt, queue: string): void {
    this.#run.removeReceived.run({ ...held, queue });
  }

  removeAll(queue: string): void {
    this.#run.removeAll.run({ queue });
  }

  removeExpired(moment: QueueView): void {
    this.#run.removeExpired.run({ ...moment });
  }

  depth(moment: QueueView): QueueDepth {
    const { visible, delayed, inFlight } = this.#run.depth.get({ ...moment }) ?? {};
    return { visible: Number(visible), delayed: Number(delayed), inFlight: Number(inFlight) };
  }

  /**
   * Makes every in-flight message visible, at the start of the engine. Consumers run in the engine's process, so the
   * consumers of these messages have ended with the last process. Waiting for the visibility timeout would only delay
   * the retry. The receive count stays: a message that kills its consumer must still reach the dead-letter queue.
   */
  releaseInFlight(now: number): void {
    this.#run.release.run({ now });
  }

  close(): void {
    this.#database.close();
  }
}
