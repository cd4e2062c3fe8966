import { Readable } from "node:stream";
import { BatchWriteCommand, type DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { vi } from "vitest";
import { handler as relayEvents } from "../../../../functions/events/relay-events.ts";
import { handler as sweepEvents } from "../../../../functions/events/sweep-events.ts";
import { directoryTable, eventTable, usageTable } from "../../../../lib/contract/resources.ts";
import { EventBus } from "../../../../lib/runtime/aws/event-bus.ts";
import { setPorts } from "../../../../lib/runtime/ports.ts";
import { DeliveredDataStore } from "../../../../lib/store/connections/delivered-data.ts";
import { EventFeedStore } from "../../../../lib/store/events/event-feed.ts";
import { NewestEventStore } from "../../../../lib/store/events/newest-events.ts";
import { OutboxStore } from "../../../../lib/store/events/outbox.ts";
import { ReceiptStore } from "../../../../lib/store/ingest/receipts.ts";
import { Table } from "../../../../lib/store/table.ts";
import { commit, type WriteItem } from "../../../../lib/store/transaction.ts";
import { UsageStore } from "../../../../lib/store/usage/usage.ts";
import { startDynamodb } from "../../../support/dynamodb.ts";
import { invocation } from "../../support/handler-request.ts";
import { SeededRandom } from "../../support/seeded-random.ts";
import { FakeEventBus } from "../relay/fake-event-bus.ts";
import { RaceGate } from "./race-gate.ts";

/** An item in the form of the wire protocol. */
export type RawItem = Readonly<Record<string, { readonly S?: string; readonly N?: string }>>;

/** Feed entries in the form of the wire protocol, by attribute or by the name of a value. */
type RawValues = Readonly<Record<string, { readonly L?: readonly { readonly M: RawItem }[] }>>;

/** A request of the wire protocol. */
export interface WireRequest {
  readonly operation: string;
  readonly input: {
    readonly Key?: RawItem;
    readonly Item?: RawItem;
    readonly ExpressionAttributeValues?: RawValues;
    readonly TransactItems?: readonly { readonly Put?: { readonly Item: RawItem & RawValues } }[];
  };
}

interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
interface HttpResponse {
  readonly statusCode: number;
  body: Readable;
}
interface HttpHandler {
  handle(request: HttpRequest, options?: unknown): Promise<{ readonly response: HttpResponse }>;
}

/** The real stores, relay and sweeper on the real engine. Every request to the engine passes the gate of a race. */
export class BatchStage {
  readonly gate = new RaceGate(new SeededRandom(0));
  readonly bus = new FakeEventBus(this.gate);
  /** Called with each request that the engine accepted. */
  onAccepted: (request: WireRequest) => void = () => {};
  readonly documents: DynamoDBDocumentClient;
  readonly #stops: (() => Promise<void> | void)[];

  private constructor(documents: DynamoDBDocumentClient, stop: () => Promise<void>) {
    this.documents = documents;
    // The client waits a random part of a second before it sends a request again.
    const random = vi.spyOn(Math, "random").mockReturnValue(0);
    const log = ["info", "warn", "error"].map((name) => vi.spyOn(console, name as "info").mockReturnValue(undefined));
    this.#stops = [stop, () => setPorts(undefined), ...[random, ...log].map((spy) => () => spy.mockRestore())];
    const ids = { uuid: () => "", bytes: (length: number) => Buffer.alloc(length) };
    setPorts({ clock: { now: this.gate.now }, ids });
    this.#stand(documents.config.requestHandler as unknown as HttpHandler);
  }

  /** Starts the engine. Call once per process. */
  static async open(): Promise<BatchStage> {
    const { documents, stop } = await startDynamodb();
    process.env.BUS_EVENTS = "bus";
    return new BatchStage(documents, stop);
  }

  /** Stands between the client, which repeats lost requests, and the engine. */
  #stand(http: HttpHandler): void {
    const handle = http.handle.bind(http);
    http.handle = (request, options) => {
      const operation = String(request.headers["x-amz-target"]).split(".")[1] ?? "";
      const input = JSON.parse(request.body) as WireRequest["input"];
      return this.gate.pass(`${operation} ${input.Key?.pk?.S ?? input.Item?.pk?.S ?? ""}`, async () => {
        const answer = await handle(request, options);
        const { response } = answer;
        // An answer that nobody reads would keep its connection.
        response.body = Readable.from([Buffer.concat(await response.body.toArray())]);
        if (response.statusCode === 200) this.onAccepted({ operation, input });
        return answer;
      });
    };
  }

  /** New stores, as each container has its own. */
  stores() {
    const [events, usage] = [eventTable, usageTable].map(({ name }) => new Table(this.documents, name)) as [
      Table,
      Table,
    ];
    return {
      bus: new EventBus("bus"),
      outbox: new OutboxStore(events),
      newestEvents: new NewestEventStore(events),
      eventFeed: new EventFeedStore(events),
      receipts: new ReceiptStore(events),
      usage: new UsageStore(usage),
      deliveredData: new DeliveredDataStore(new Table(this.documents, directoryTable.name)),
      commit: (items: readonly WriteItem[]) => commit(this.documents, items),
    };
  }

  /** Delivers a new item to the relay as the stream does. @returns whether it was consumed. */
  async relay(NewImage: RawItem): Promise<boolean> {
    const Records = [{ eventID: "0", dynamodb: { SequenceNumber: "0", NewImage } }];
    const answer = await relayEvents({ Records } as never, invocation);
    return (answer as { batchItemFailures: unknown[] }).batchItemFailures.length === 0;
  }

  async sweep(): Promise<void> {
    await sweepEvents({} as never, invocation);
  }

  /** All items of the events table. */
  readItems = () => this.#scan(eventTable.name);

  async #scan(TableName: string): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const page = await this.documents.send(new ScanCommand({ TableName, ExclusiveStartKey }));
      items.push(...(page.Items ?? []));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    return items;
  }

  /** Deletes all items. */
  async clear(): Promise<void> {
    for (const { name } of [eventTable, usageTable, directoryTable]) {
      const requests = (await this.#scan(name)).map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
      for (let first = 0; first < requests.length; first += 25)
        await this.documents.send(
          new BatchWriteCommand({ RequestItems: { [name]: requests.slice(first, first + 25) } }),
        );
    }
    this.bus.clear();
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.splice(0)) await stop();
  }
}
