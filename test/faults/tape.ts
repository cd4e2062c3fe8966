import { DeleteItemCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { Answer } from "../../lib/local/front/aws-error.ts";
import type { FaultTarget } from "../../lib/local/front/faults.ts";
import type { LocalCloud } from "../../lib/local/local-cloud.ts";
import { md5 } from "../../lib/local/sqs/message-attributes.ts";
import { type Asked, askedOf, type Item, type Place, placesOf } from "./asked.ts";
import { KeptObjects } from "./kept-objects.ts";

/** An item that is not as it was. */
export interface Change extends Place {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

interface Kept extends Place {
  readonly before: Item | undefined;
}

/**
 * Stands behind the faults of a local cloud and notes what a function does there, so that it can be undone: items as
 * they were, and objects. Messages, events and executions are noted and go nowhere; what others outside answered to a
 * request the first time, they answer each time.
 */
export class Tape {
  /** What was asked, a line for each call of a client. */
  readonly calls = new Map<unknown, string>();
  readonly messages: string[] = [];
  /** Requests to others outside that are under way in truth. */
  outside = 0;
  readonly #dynamodb: DynamoDBClient;
  readonly #objects: KeptObjects;
  readonly #items = new Map<string, Kept>();
  /** How often an item was created and undone, by its key: the stream of its table tells of that all the same. */
  readonly #phantoms = new Map<string, number>();
  /** By what is asked of whom, in the order of asking. */
  readonly #answers = new Map<string, Promise<unknown>[]>();
  readonly #places = new Map<string, number>();

  constructor({ assembly: { region }, dynamodb, s3 }: LocalCloud) {
    const credentials = { accessKeyId: "local", secretAccessKey: "local" };
    this.#dynamodb = new DynamoDBClient({ endpoint: dynamodb.origin, region, credentials });
    this.#objects = new KeptObjects(s3, region);
  }

  close(): void {
    this.#dynamodb.destroy();
    this.#objects.close();
  }

  /** Forgets what others outside answered. */
  begin(): void {
    this.#answers.clear();
    this.rewind();
  }

  /** Goes back to the first answer of others outside. */
  rewind(): void {
    this.#places.clear();
    this.calls.clear();
  }

  /** Notes that a call was asked for, whatever becomes of it. */
  note(target: FaultTarget): void {
    const { service, operation, about } = askedOf(target);
    const id = target.callId ?? Symbol("call");
    // Of others outside it does not matter who was asked for what.
    const name = service === "http" ? [service] : [service, operation, about];
    if (!this.calls.has(id)) this.calls.set(id, name.filter(Boolean).join(" "));
  }

  /** Does what was asked for as far as it can be undone. */
  async pass<T>(target: FaultTarget, call: () => Promise<T>): Promise<T> {
    const asked = askedOf(target);
    if (asked.service === "http") return this.#outside(`${asked.operation} ${asked.about}`, call);
    if (asked.isMessage) return this.#noted(asked) as T;
    if (asked.service === "dynamodb") await this.#keep(asked);
    if (asked.service === "s3" && asked.operation !== "GET") await this.#objects.keep(asked.about);
    return call();
  }

  /** The answers of others outside to a request, one after the other; what is asked beyond them is asked in truth. */
  async #outside<T>(request: string, call: () => Promise<T>): Promise<T> {
    const answers = this.#answers.get(request) ?? [];
    this.#answers.set(request, answers);
    const place = this.#places.get(request) ?? 0;
    this.#places.set(request, place + 1);
    if (!answers[place]) {
      this.outside += 1;
      const answer = call().finally(() => (this.outside -= 1));
      answer.catch(() => undefined);
      answers[place] = answer;
    }
    const answer = await answers[place];
    return (answer instanceof Response ? answer.clone() : answer) as T;
  }

  #noted({ service, operation, about, body }: Asked): Answer {
    const { Entries = [], ...one } = body as { Entries?: Record<string, string>[] } & Record<string, string>;
    const told = Entries.length > 0 ? Entries : [one];
    for (const { MessageBody, DetailType, Detail, name, input, Id: _, ...rest } of told) {
      const what = [DetailType, MessageBody, Detail, name, input].filter(Boolean).join(" ");
      this.messages.push(`${service} ${queueOf(about)} ${what || JSON.stringify(rest)}`);
    }
    const headers = { "content-type": "application/x-amz-json-1.0" };
    return { status: 200, headers, body: Buffer.from(JSON.stringify(answerTo(operation, told))) };
  }

  async #keep(asked: Asked): Promise<void> {
    for (const place of placesOf(asked)) {
      if (this.#items.has(place.name)) continue;
      this.#items.set(place.name, { ...place, before: await this.#read(place) });
    }
  }

  async #read({ table, key }: Place): Promise<Item | undefined> {
    const read = new GetItemCommand({ TableName: table, Key: key as never, ConsistentRead: true });
    return (await this.#dynamodb.send(read)).Item as Item | undefined;
  }

  /** What is not as it was when it was last undone. */
  async changes(): Promise<Change[]> {
    const all = [...this.#items.values()].map(async (kept) => ({ ...kept, after: await this.#read(kept) }));
    return (await Promise.all(all)).filter(({ before, after }) => textOf(before) !== textOf(after));
  }

  /** Objects that were written or deleted, and whether they are there now. */
  async objects(): Promise<string[]> {
    return [...(await this.#objects.present())].map(([name, isThere]) => `${name} ${isThere ? "kept" : "gone"}`);
  }

  /** Puts all back as it was. */
  async undo(): Promise<void> {
    const changes = await this.changes();
    for (const { key, before } of changes) if (!before) this.#phantoms.set(textOf(key), this.#phantomsOf(key) + 1);
    await Promise.all(changes.map((change) => this.#restore(change)));
    await this.#objects.restore();
    this.#items.clear();
    this.messages.length = 0;
  }

  /** Whether a record of a stream tells of an item that was undone; asked once for each record, in their order. */
  isPhantom(key: Item): boolean {
    const count = this.#phantomsOf(key);
    this.#phantoms.set(textOf(key), Math.max(0, count - 1));
    return count > 0;
  }

  #phantomsOf(key: Item): number {
    return this.#phantoms.get(textOf(key)) ?? 0;
  }

  async #restore({ table, key, before }: Change): Promise<void> {
    const write = before
      ? new PutItemCommand({ TableName: table, Item: before as never })
      : new DeleteItemCommand({ TableName: table, Key: key as never });
    await this.#dynamodb.send(write as never);
  }
}

/** The name of a queue without what its template adds; of anything else as it is. */
const queueOf = (name: string): string => /Queue([a-zA-Z]+)Queue/.exec(name)?.[1] ?? name;

/** The same text for the same item, in whatever order it was read. */
export function textOf(item: Item | undefined): string {
  return JSON.stringify(item, (_, value) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
    if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  }) as string;
}

function answerTo(operation: string, told: readonly Record<string, string>[]): object {
  const MessageId = "noted";
  if (operation === "SendMessage") return { MessageId, MD5OfMessageBody: md5(told[0]?.MessageBody ?? "") };
  if (operation === "SendMessageBatch") {
    const Successful = told.map(({ Id, MessageBody = "" }) => ({ Id, MessageId, MD5OfMessageBody: md5(MessageBody) }));
    return { Successful, Failed: [] };
  }
  if (operation === "PutEvents") return { FailedEntryCount: 0, Entries: told.map(() => ({ EventId: MessageId })) };
  if (operation === "StopExecution") return { stopDate: 0 };
  return { executionArn: `arn:aws:states:us-east-1:000000000000:execution:noted:${told[0]?.name}`, startDate: 0 };
}
