import { EventBridgeClient, type PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { type SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { handler as storeBatch } from "../../../../../functions/ingest/store-batch.ts";
import { directoryTable, eventTable, sampleTable, summaryTable } from "../../../../../lib/contract/resources.ts";
import { acceptBatch } from "../../../../../lib/domain/ingest/accept-batch.ts";
import type { BatchMessage } from "../../../../../lib/domain/ingest/batch.ts";
import { newUser, type UserRecord } from "../../../../../lib/domain/users/user.ts";
import { Bucket } from "../../../../../lib/runtime/aws/bucket.ts";
import { Queue } from "../../../../../lib/runtime/aws/queue.ts";
import { setPorts } from "../../../../../lib/runtime/ports.ts";
import { queueBatch } from "../../../../../lib/services/ingest/queue-batch.ts";
import { DestinationStore } from "../../../../../lib/store/forwarding/destinations.ts";
import { ReceiptStore } from "../../../../../lib/store/ingest/receipts.ts";
import { SummaryStore } from "../../../../../lib/store/summaries/summaries.ts";
import { Table } from "../../../../../lib/store/table.ts";
import { TeamScope } from "../../../../../lib/store/team-scope.ts";
import { ChunkStore } from "../../../../../lib/store/timeseries/chunks.ts";
import { commit } from "../../../../../lib/store/transaction.ts";
import { UserStore } from "../../../../../lib/store/users/users.ts";
import { startDynamodb, type TestDynamodb } from "../../../../support/dynamodb.ts";
import { createUserCiphers, useUserCiphers } from "../../../../support/user-ciphers.ts";
import { RequestInterleaving } from "../../../ingest/derived-activity/request-interleaving.ts";
import { invocation } from "../../../support/handler-request.ts";
import { Mortality } from "./mortality.ts";
import type { PlannedRequest } from "./plan.ts";
import { toDeletion, toRecord } from "./reading.ts";

const ON = "2026-04-05T12:00:00.000Z";
const AS_OF_DAYS = 30;
/** Random bytes of a receipt id. All others are zero, which gives no retry pauses. */
const RECEIPT_BYTES = 8;

/** The real acceptance and consumer of batches on the real engine, with a queue and a bus in memory. */
export class ScheduleFixture {
  readonly interleaving: RequestInterleaving;
  readonly mortality = new Mortality();
  readonly chunks: ChunkStore;
  readonly receipts: ReceiptStore;
  readonly events: Table;
  /** Messages on their way to the consumer. */
  readonly queue: BatchMessage[] = [];
  /** Log lines of the functions, kept out of the test output. */
  readonly log: string[] = [];
  nowMs = 0;
  #receiptBytes: Buffer = Buffer.alloc(RECEIPT_BYTES);
  readonly #dynamodb: TestDynamodb;
  readonly #summaries: SummaryStore;
  readonly #stops: (() => void | Promise<void>)[] = [];

  private constructor(dynamodb: TestDynamodb) {
    this.#dynamodb = dynamodb;
    const seals = createUserCiphers();
    useUserCiphers(seals);
    this.events = this.#table(eventTable.name);
    this.receipts = new ReceiptStore(this.events);
    this.chunks = new ChunkStore(this.#table(sampleTable.name), seals, AS_OF_DAYS * 86_400_000);
    this.#summaries = new SummaryStore(this.#table(summaryTable.name), seals);
    this.interleaving = new RequestInterleaving(dynamodb.documents);
    this.#standBetween(dynamodb.documents);
    this.#stops.push(this.#captureLog(), () => setPorts(undefined), dynamodb.stop);
  }

  /** Starts the engine. Call once per process. */
  static async open(): Promise<ScheduleFixture> {
    const dynamodb = await startDynamodb();
    const buckets = { BUCKET_BATCHES: "none", BUCKET_STREAMS: "none" };
    const names = { ...buckets, QUEUE_INGESTION: "queue", QUEUE_QUERY_CHANGES: "changes", BUS_EVENTS: "bus" };
    Object.assign(process.env, { ...names, CHECK_RESPONSES: "1", AS_OF_DAYS: String(AS_OF_DAYS) });
    const stage = new ScheduleFixture(dynamodb);
    const bytes = (length: number) => (length === RECEIPT_BYTES ? stage.#receiptBytes : Buffer.alloc(length));
    setPorts({ clock: { now: () => stage.nowMs }, ids: { uuid: () => crypto.randomUUID(), bytes } });
    return stage;
  }

  /**
   * Begins a schedule: its own team, an empty queue and the same time, so that no earlier schedule changes its course.
   * @param pushesHistory whether the team also receives historical data in daily events.
   */
  async begin(teamId: string, pushesHistory: boolean): Promise<TeamScope> {
    const scope = TeamScope.grant(teamId);
    this.nowMs = Date.parse(ON);
    this.queue.length = 0;
    this.log.length = 0;
    if (pushesHistory) await this.#pushHistory(scope);
    return scope;
  }

  async createUser(scope: TeamScope, userId: string): Promise<UserRecord> {
    const user = newUser({ client_user_id: userId }, { userId, teamId: scope.teamId }, ON);
    const table = this.#table(directoryTable.name);
    await commit(table.documents, [new UserStore(table).createItem(scope, user)]);
    return user;
  }

  /**
   * Accepts a request, opens its receipt and queues its message.
   * @param receiptBytes the random part of the receipt id.
   */
  async send(user: UserRecord, request: PlannedRequest, receiptBytes: Buffer): Promise<string> {
    const { origin, stage, isFinal, sent, deleted } = request;
    const lists = <T extends { readonly resource: string }>(all: readonly T[], to: (one: T) => object) =>
      Object.fromEntries([...Map.groupBy(all, ({ resource }) => resource)].map(([name, own]) => [name, own.map(to)]));
    const about = { provider: origin.provider, source_type: origin.sourceType, stage, is_final: isFinal };
    const recorder = { device_id: origin.deviceId, app_id: origin.appId };
    const raw = { ...about, ...recorder, resources: lists(sent, toRecord), deleted: lists(deleted, toDeletion) };
    const accepted = acceptBatch(raw, user, this.nowMs);
    if (accepted.rejected.length > 0) throw new Error(`rejected: ${JSON.stringify(accepted.rejected)}`);
    const deps = { receipts: this.receipts, ingestion: new Queue("queue"), batches: new Bucket("none") };
    this.#receiptBytes = receiptBytes;
    const scope = TeamScope.grant(user.team_id);
    return queueBatch(deps, scope, user.user_id, accepted, this.nowMs, { spend: async () => {} });
  }

  /** Delivers a message as its queue does. @returns whether it was consumed. */
  async deliver(message: BatchMessage): Promise<boolean> {
    const record = { messageId: message.receipt_id, attributes: {}, body: JSON.stringify(message) };
    const answer = await storeBatch({ Records: [record] } as never, invocation);
    return (answer as { batchItemFailures: unknown[] }).batchItemFailures.length === 0;
  }

  /** Deletes samples, summaries and receipts of a user. */
  async forget({ team_id, user_id }: UserRecord): Promise<void> {
    const scope = TeamScope.grant(team_id);
    await this.chunks.eraseUser(scope, user_id);
    await this.#summaries.eraseUser(scope, user_id);
    await this.receipts.eraseUser(scope, user_id);
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.splice(0)) await stop();
  }

  /** Lets requests of dead functions fail, and serves the queue and the bus in memory. */
  #standBetween(documents: DynamoDBDocumentClient): void {
    const send = documents.send.bind(documents);
    Object.assign(documents, { send: (command: never) => this.mortality.pass(() => send(command)) });
    const queue = { send: SQSClient.prototype.send };
    const bus = { send: EventBridgeClient.prototype.send };
    const take = async ({ input }: SendMessageCommand) => {
      if (input.QueueUrl === "queue") this.queue.push(JSON.parse(input.MessageBody ?? ""));
    };
    const publish = async ({ input }: PutEventsCommand) => ({ Entries: input.Entries?.map(() => ({ EventId: "id" })) });
    Object.assign(SQSClient.prototype, { send: (one: SendMessageCommand) => this.mortality.pass(() => take(one)) });
    Object.assign(EventBridgeClient.prototype, {
      send: (one: PutEventsCommand) => this.mortality.pass(() => publish(one)),
    });
    this.#stops.push(() => void Object.assign(SQSClient.prototype, queue));
    this.#stops.push(() => void Object.assign(EventBridgeClient.prototype, bus));
  }

  #pushHistory(scope: TeamScope): Promise<void> {
    const brokers = { azure_amqp: null, cloud_pubsub: null, rabbitmq: null, sealed: {} };
    const settings = { event_type_prefixes: null, push_historical_data: true, provider_raw_data: false } as const;
    const preferences = { preferred: "svix" as const, enabled: ["svix" as const] };
    const destination = { ...settings, ...brokers, preferences, team_id: scope.teamId, updated_at: ON };
    return new DestinationStore(this.events).put(scope, destination);
  }

  #captureLog(): () => void {
    const { info, warn, error } = console;
    const keep = (line: string) => void this.log.push(line);
    Object.assign(console, { info: keep, warn: keep, error: keep });
    return () => void Object.assign(console, { info, warn, error });
  }

  #table(name: string): Table {
    return new Table(this.#dynamodb.documents, name);
  }
}
