import { DeleteItemCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { AwsResponse } from "../../lib/local/aws-proxy/aws-error.ts";
import type { FaultTarget } from "../../lib/local/aws-proxy/fault-injector.ts";
import type { LocalCloud } from "../../lib/local/local-cloud.ts";
import { md5 } from "../../lib/local/sqs/message-attributes.ts";
import { ObjectSnapshots } from "./object-snapshots.ts";
import {
  type DynamodbItem,
  type ItemLocation,
  parseServiceCall,
  type ServiceCall,
  writtenItems,
} from "./service-call.ts";

/** An item that differs from its snapshot. */
export interface ItemChange extends ItemLocation {
  readonly before: DynamodbItem | undefined;
  readonly after: DynamodbItem | undefined;
}

interface ItemSnapshot extends ItemLocation {
  readonly before: DynamodbItem | undefined;
}

/**
 * Records the effects of a function behind the fault injector of a local cloud, so that they can be undone: item
 * snapshots and objects. It records messages, events and executions without sending them. It replays the first
 * responses of external servers.
 */
export class EffectRecorder {
  /** One line for each call of a client. */
  readonly calls = new Map<unknown, string>();
  readonly messages: string[] = [];
  /** Number of real outbound requests in progress. */
  openOutboundRequests = 0;
  readonly #dynamodb: DynamoDBClient;
  readonly #objects: ObjectSnapshots;
  readonly #items = new Map<string, ItemSnapshot>();
  /** How often an item was created and undone, by its key. The table's stream contains these changes too. */
  readonly #phantoms = new Map<string, number>();
  /** Outbound responses by request, in order. */
  readonly #answers = new Map<string, Promise<unknown>[]>();
  readonly #places = new Map<string, number>();

  constructor({ assembly: { region }, dynamodb, s3 }: LocalCloud) {
    const credentials = { accessKeyId: "local", secretAccessKey: "local" };
    this.#dynamodb = new DynamoDBClient({ endpoint: dynamodb.origin, region, credentials });
    this.#objects = new ObjectSnapshots(s3, region);
  }

  close(): void {
    this.#dynamodb.destroy();
    this.#objects.close();
  }

  /** Clears the recorded outbound responses. */
  reset(): void {
    this.#answers.clear();
    this.rewind();
  }

  /** Rewinds to the first recorded outbound response. */
  rewind(): void {
    this.#places.clear();
    this.calls.clear();
  }

  /** Records a call, whatever its outcome. @returns false for another attempt of a recorded call. */
  recordCall(target: FaultTarget): boolean {
    const { service, operation, resource } = parseServiceCall(target);
    const id = target.callId ?? Symbol("call");
    // The record of an outbound request does not include its target.
    const name = service === "http" ? [service] : [service, operation, resource];
    if (this.calls.has(id)) return false;
    this.calls.set(id, name.filter(Boolean).join(" "));
    return true;
  }

  /** Executes a call if it can be undone. */
  async execute<T>(target: FaultTarget, call: () => Promise<T>): Promise<T> {
    const asked = parseServiceCall(target);
    if (asked.service === "http") return this.#outside(`${asked.operation} ${asked.resource}`, call);
    if (asked.isMessage) return this.#recordMessage(asked) as T;
    if (asked.service === "dynamodb") await this.#keep(asked);
    if (asked.service === "s3" && asked.operation !== "GET") await this.#objects.save(asked.resource);
    return call();
  }

  /** Replays the recorded responses to an outbound request in order. Further requests are sent for real. */
  async #outside<T>(request: string, call: () => Promise<T>): Promise<T> {
    const answers = this.#answers.get(request) ?? [];
    this.#answers.set(request, answers);
    const place = this.#places.get(request) ?? 0;
    this.#places.set(request, place + 1);
    if (!answers[place]) {
      this.openOutboundRequests += 1;
      const answer = call().finally(() => (this.openOutboundRequests -= 1));
      answer.catch(() => undefined);
      answers[place] = answer;
    }
    const answer = await answers[place];
    return (answer instanceof Response ? answer.clone() : answer) as T;
  }

  #recordMessage({ service, operation, resource, body }: ServiceCall): AwsResponse {
    const { Entries = [], ...one } = body as { Entries?: Record<string, string>[] } & Record<string, string>;
    const sent = Entries.length > 0 ? Entries : [one];
    for (const { MessageBody, DetailType, Detail, name, input, Id: _, ...rest } of sent) {
      const what = [DetailType, MessageBody, Detail, name, input].filter(Boolean).join(" ");
      this.messages.push(`${service} ${queueOf(resource)} ${what || JSON.stringify(rest)}`);
    }
    const headers = { "content-type": "application/x-amz-json-1.0" };
    return { status: 200, headers, body: Buffer.from(JSON.stringify(answerTo(operation, sent))) };
  }

  async #keep(asked: ServiceCall): Promise<void> {
    for (const place of writtenItems(asked)) {
      if (this.#items.has(place.name)) continue;
      this.#items.set(place.name, { ...place, before: await this.#read(place) });
    }
  }

  async #read({ table, key }: ItemLocation): Promise<DynamodbItem | undefined> {
    const read = new GetItemCommand({ TableName: table, Key: key as never, ConsistentRead: true });
    return (await this.#dynamodb.send(read)).Item as DynamodbItem | undefined;
  }

  /** Lists the items that differ from their snapshots. */
  async changes(): Promise<ItemChange[]> {
    const all = [...this.#items.values()].map(async (kept) => ({ ...kept, after: await this.#read(kept) }));
    return (await Promise.all(all)).filter(({ before, after }) => serializeItem(before) !== serializeItem(after));
  }

  /** Lists written or deleted objects, and whether they exist now. */
  async objects(): Promise<string[]> {
    return [...(await this.#objects.listPresent())].map(([name, isThere]) => `${name} ${isThere ? "kept" : "gone"}`);
  }

  /** Restores all items and objects. */
  async undo(): Promise<void> {
    const changes = await this.changes();
    for (const { key, before } of changes)
      if (!before) this.#phantoms.set(serializeItem(key), this.#phantomsOf(key) + 1);
    await Promise.all(changes.map((change) => this.#restore(change)));
    await this.#objects.restore();
    this.#items.clear();
    this.messages.length = 0;
  }

  /** Whether a stream record is about an undone item. Call once per record, in order. */
  isPhantom(key: DynamodbItem): boolean {
    const count = this.#phantomsOf(key);
    this.#phantoms.set(serializeItem(key), Math.max(0, count - 1));
    return count > 0;
  }

  #phantomsOf(key: DynamodbItem): number {
    return this.#phantoms.get(serializeItem(key)) ?? 0;
  }

  async #restore({ table, key, before }: ItemChange): Promise<void> {
    const write = before
      ? new PutItemCommand({ TableName: table, Item: before as never })
      : new DeleteItemCommand({ TableName: table, Key: key as never });
    await this.#dynamodb.send(write as never);
  }
}

/** The logical name of a queue, without what its template adds; other names unchanged. */
const queueOf = (name: string): string => /Queue([a-zA-Z]+)Queue/.exec(name)?.[1] ?? name;

/** Serializes an item with sorted keys, so that equal items give equal texts. */
export function serializeItem(item: DynamodbItem | undefined): string {
  return JSON.stringify(item, (_, value) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
    if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  }) as string;
}

function answerTo(operation: string, sent: readonly Record<string, string>[]): object {
  const MessageId = "recorded";
  if (operation === "SendMessage") return { MessageId, MD5OfMessageBody: md5(sent[0]?.MessageBody ?? "") };
  if (operation === "SendMessageBatch") {
    const Successful = sent.map(({ Id, MessageBody = "" }) => ({ Id, MessageId, MD5OfMessageBody: md5(MessageBody) }));
    return { Successful, Failed: [] };
  }
  if (operation === "PutEvents") return { FailedEntryCount: 0, Entries: sent.map(() => ({ EventId: MessageId })) };
  if (operation === "StopExecution") return { stopDate: 0 };
  return { executionArn: `arn:aws:states:us-east-1:000000000000:execution:recorded:${sent[0]?.name}`, startDate: 0 };
}
