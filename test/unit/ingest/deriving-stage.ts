import { gzipSync } from "node:zlib";
import { handler as storeBatch } from "../../../functions/ingest/store-batch.ts";
import { directory, eventTable, samples, summaryTable } from "../../../lib/contract/resources.ts";
import type { BatchMessage, SampleBatch } from "../../../lib/domain/batch.ts";
import { activity } from "../../../lib/domain/summaries/activity.ts";
import type { ActivityInput } from "../../../lib/domain/summaries/derived-activity.ts";
import { resourceNamed } from "../../../lib/domain/timeseries/resources.ts";
import { newUser } from "../../../lib/domain/user.ts";
import { eventId } from "../../../lib/events/event-id.ts";
import { usePorts } from "../../../lib/runtime/ports.ts";
import type { ChunkSlice } from "../../../lib/store/chunk-slice.ts";
import { ChunkStore } from "../../../lib/store/chunks.ts";
import { OutboxStore } from "../../../lib/store/outbox.ts";
import { ReceiptStore, receiptId } from "../../../lib/store/receipts.ts";
import { SummaryStore } from "../../../lib/store/summaries.ts";
import type { SummaryRecord } from "../../../lib/store/summary-record.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { commit } from "../../../lib/store/transaction.ts";
import { UserStore } from "../../../lib/store/users.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";
import { holdSeals, seals } from "../../support/user-seals.ts";
import { invocation } from "../deletion/request-event.ts";
import { Interleaving } from "./interleaving.ts";

const TEAM_ID = "7ea70000-0000-4000-8000-000000000001";
const ON = "2026-05-04T12:00:00.000Z";
export const NOW_MS = Date.parse(ON);
/** The time zone of samples without an offset. */
export const ZONE = "Europe/Berlin";

/** The real batch consumer on the real engine. Its requests run in a random order. */
export class DerivingStage {
  readonly interleaving: Interleaving;
  readonly #dynamodb: TestDynamodb;
  readonly #scope = TeamScope.grant(TEAM_ID);
  readonly #seals = seals();
  /** Log lines of the function, kept out of the test output. */
  readonly log: string[] = [];
  readonly #console = { info: console.info, warn: console.warn, error: console.error };

  private constructor(dynamodb: TestDynamodb) {
    this.#dynamodb = dynamodb;
    holdSeals(this.#seals);
    this.interleaving = new Interleaving(dynamodb.documents);
    const keep = (line: string) => void this.log.push(line);
    Object.assign(console, { info: keep, warn: keep, error: keep });
  }

  /** Starts the engine. Call once per process. */
  static async open(): Promise<DerivingStage> {
    const dynamodb = await startDynamodb();
    Object.assign(process.env, {
      BUCKET_BATCHES: "none",
      BUCKET_STREAMS: "none",
      QUEUE_INGESTION: "none",
      CHECK_RESPONSES: "1",
    });
    usePorts({ clock: { now: () => NOW_MS } });
    return new DerivingStage(dynamodb);
  }

  async createUser(userId: string): Promise<void> {
    const ids = { userId, teamId: TEAM_ID };
    const user = newUser({ client_user_id: userId, fallback_time_zone: ZONE }, ids, ON);
    const table = this.#table(directory.name);
    await commit(table.documents, [new UserStore(table).createItem(this.#scope, user)]);
  }

  /** Opens the receipt of a batch. @returns the queue message of the batch. */
  async queue(userId: string, place: number, batch: SampleBatch): Promise<BatchMessage> {
    const received_at = NOW_MS + place;
    const id = receiptId(received_at, String(place).padStart(16, "0"));
    await new ReceiptStore(this.#table(eventTable.name)).begin(this.#scope, userId, id, [], ON);
    const content = { inline: gzipSync(JSON.stringify(batch)).toString("base64") };
    return { team_id: TEAM_ID, user_id: userId, receipt_id: id, received_at, content };
  }

  /** Delivers a message as its queue does. @returns whether it was consumed. */
  async deliver(message: BatchMessage): Promise<boolean> {
    const record = { messageId: message.receipt_id, attributes: {}, body: JSON.stringify(message) };
    const answer = await storeBatch({ Records: [record] } as never, invocation);
    return (answer as { batchItemFailures: unknown[] }).batchItemFailures.length === 0;
  }

  /** All stored samples of a resource. */
  slices(userId: string, input: ActivityInput): Promise<ChunkSlice[]> {
    const range = { fromMs: NOW_MS - 30 * 86_400_000, toMs: NOW_MS };
    const chunks = new ChunkStore(this.#table(samples.name), this.#seals);
    return Array.fromAsync(chunks.read(this.#scope, userId, resourceNamed(input), { range, isConsistent: true }));
  }

  /** All stored activity summaries. */
  activities(userId: string): Promise<SummaryRecord[]> {
    return new SummaryStore(this.#table(summaryTable.name), this.#seals).all(this.#scope, userId, activity);
  }

  /** The data of the event for the current version of a summary. */
  async toldOf({ id, user_id, version, verb }: SummaryRecord): Promise<Record<string, unknown> | undefined> {
    const type = `daily.data.activity.${verb}`;
    const about = { team_id: TEAM_ID, user_id, key: id, version, type };
    const outbox = new OutboxStore(this.#table(eventTable.name));
    const body = await outbox.body({ ...about, event_id: eventId(about) });
    return body && JSON.parse(body).data;
  }

  async close(): Promise<void> {
    Object.assign(console, this.#console);
    usePorts(undefined);
    await this.#dynamodb.stop();
  }

  #table(name: string): Table {
    return new Table(this.#dynamodb.documents, name);
  }
}
