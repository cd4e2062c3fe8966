import { gzipSync } from "node:zlib";
import { handler as storeBatch } from "../../../../functions/ingest/store-batch.ts";
import { directoryTable, eventTable, sampleTable, summaryTable } from "../../../../lib/contract/resources.ts";
import type { BatchMessage, SampleBatch } from "../../../../lib/domain/ingest/batch.ts";
import { activity } from "../../../../lib/domain/summaries/activity.ts";
import type { ActivityInput } from "../../../../lib/domain/summaries/derive-daily-activity.ts";
import { getResource } from "../../../../lib/domain/timeseries/resources.ts";
import { newUser } from "../../../../lib/domain/users/user.ts";
import { eventId } from "../../../../lib/events/catalogue/event-id.ts";
import { setPorts } from "../../../../lib/runtime/ports.ts";
import { OutboxStore } from "../../../../lib/store/events/outbox.ts";
import { createReceiptId } from "../../../../lib/store/ingest/receipt-id.ts";
import { ReceiptStore } from "../../../../lib/store/ingest/receipts.ts";
import { SummaryStore } from "../../../../lib/store/summaries/summaries.ts";
import type { SummaryRecord } from "../../../../lib/store/summaries/summary-record.ts";
import { Table } from "../../../../lib/store/table.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";
import type { ChunkSlice } from "../../../../lib/store/timeseries/chunk-slice.ts";
import { ChunkStore } from "../../../../lib/store/timeseries/chunks.ts";
import { commit } from "../../../../lib/store/transaction.ts";
import { UserStore } from "../../../../lib/store/users/users.ts";
import { startDynamodb, type TestDynamodb } from "../../../support/dynamodb.ts";
import { createUserCiphers, useUserCiphers } from "../../../support/user-ciphers.ts";
import { FakeEventBus } from "../../events/relay/fake-event-bus.ts";
import { InvocationGate } from "../../events/relay/invocation-gate.ts";
import { invocation } from "../../support/handler-request.ts";
import { RequestInterleaving } from "./request-interleaving.ts";

const TEAM_ID = "7ea70000-0000-4000-8000-000000000001";
const ON = "2026-05-04T12:00:00.000Z";
export const NOW_MS = Date.parse(ON);
/** The time zone of samples without an offset. */
export const FALLBACK_TIME_ZONE = "Europe/Berlin";

/** The real batch consumer on the real engine. Its requests run in a random order. */
export class DerivedActivityFixture {
  readonly interleaving: RequestInterleaving;
  readonly #dynamodb: TestDynamodb;
  readonly #scope = TeamScope.grant(TEAM_ID);
  readonly #seals = createUserCiphers();
  /** Log lines of the function, kept out of the test output. */
  readonly log: string[] = [];
  readonly #console = { info: console.info, warn: console.warn, error: console.error };

  private constructor(dynamodb: TestDynamodb) {
    this.#dynamodb = dynamodb;
    useUserCiphers(this.#seals);
    new FakeEventBus(new InvocationGate());
    this.interleaving = new RequestInterleaving(dynamodb.documents);
    const keep = (line: string) => void this.log.push(line);
    Object.assign(console, { info: keep, warn: keep, error: keep });
  }

  /** Starts the engine. Call once per process. */
  static async open(): Promise<DerivedActivityFixture> {
    const dynamodb = await startDynamodb();
    Object.assign(process.env, {
      BUS_EVENTS: "bus",
      BUCKET_BATCHES: "none",
      BUCKET_STREAMS: "none",
      QUEUE_INGESTION: "none",
      QUEUE_QUERY_CHANGES: "none",
      CHECK_RESPONSES: "1",
    });
    setPorts({ clock: { now: () => NOW_MS } });
    return new DerivedActivityFixture(dynamodb);
  }

  async createUser(userId: string): Promise<void> {
    const ids = { userId, teamId: TEAM_ID };
    const user = newUser({ client_user_id: userId, fallback_time_zone: FALLBACK_TIME_ZONE }, ids, ON);
    const table = this.#table(directoryTable.name);
    await commit(table.documents, [new UserStore(table).createItem(this.#scope, user)]);
  }

  /** Opens the receipt of a batch. @returns the queue message of the batch. */
  async queue(userId: string, place: number, batch: SampleBatch): Promise<BatchMessage> {
    const received_at = NOW_MS + place;
    const id = createReceiptId(received_at, String(place).padStart(16, "0"));
    await new ReceiptStore(this.#table(eventTable.name)).open(this.#scope, userId, id, [], ON);
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
    const chunks = new ChunkStore(this.#table(sampleTable.name), this.#seals);
    return Array.fromAsync(chunks.read(this.#scope, userId, getResource(input), { range, isConsistent: true }));
  }

  /** All stored activity summaries. */
  activities(userId: string): Promise<SummaryRecord[]> {
    return new SummaryStore(this.#table(summaryTable.name), this.#seals).listAll(this.#scope, userId, activity);
  }

  /** The data of the event for the current version of a summary. */
  async readEventData({ id, user_id, version, verb }: SummaryRecord): Promise<Record<string, unknown> | undefined> {
    const type = `daily.data.activity.${verb}`;
    const about = { team_id: TEAM_ID, user_id, key: id, version, type };
    const outbox = new OutboxStore(this.#table(eventTable.name));
    const body = await outbox.getBody({ ...about, event_id: eventId(about) });
    return body && JSON.parse(body).data;
  }

  async close(): Promise<void> {
    Object.assign(console, this.#console);
    setPorts(undefined);
    await this.#dynamodb.stop();
  }

  #table(name: string): Table {
    return new Table(this.#dynamodb.documents, name);
  }
}
