import { AsyncLocalStorage } from "node:async_hooks";
import { EventBridgeClient, type PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { type GenerateDataKeyCommand, KMSClient } from "@aws-sdk/client-kms";
import { SFNClient } from "@aws-sdk/client-sfn";
import { type SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { type Grant, resourceVariable } from "../../lib/contract/access.ts";
import type { ConsumerContract } from "../../lib/contract/consumer.ts";
import type { EndpointContract } from "../../lib/contract/endpoint.ts";
import { directoryTable } from "../../lib/contract/resources.ts";
import { Bucket } from "../../lib/runtime/aws/bucket.ts";
import type { ConsumerHandler } from "../../lib/runtime/consume.ts";
import type { Handler } from "../../lib/runtime/implement.ts";
import { setPorts } from "../../lib/runtime/ports.ts";
import { type FirstOrg, planFirstOrg, writeFirstOrg } from "../../lib/services/management/bootstrap.ts";
import { Table } from "../../lib/store/table.ts";
import { startDynamodb } from "../support/dynamodb.ts";
import { createUserCiphers, useUnwrappedUserKeys, useUserCiphers } from "../support/user-ciphers.ts";
import { invocation, type RequestParts, requestEvent } from "../unit/support/handler-request.ts";
import { SeededRandom } from "../unit/support/seeded-random.ts";
import { DocumentGate } from "./document-gate.ts";
import { RequestTurns } from "./request-turns.ts";

/** The start of every history. */
const START_MS = Date.parse("2026-04-05T12:00:00.000Z");

/** A route with its contract. */
export interface Route {
  readonly contract: EndpointContract;
  readonly handler: Handler;
}

/** A consumer with its contract. */
export interface Consumer {
  readonly contract: ConsumerContract;
  readonly handler: ConsumerHandler;
}

/** A response with its parsed body. */
export interface RouteAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
  readonly body: any;
}

/** What a call may state besides its contract. */
export type CallParts = Omit<RequestParts, "method" | "apiKey"> & { readonly headers?: Record<string, string> };

/** What one call is about: its instant, and the ids and random bytes that its function draws from its own generator. */
export interface CallContext {
  readonly nowMs: number;
  readonly drawn: string[];
  readonly random: SeededRandom;
}

/** The real handlers on the real database engine. The test controls the order of requests, the clock and the ids. */
export class ServiceFixture {
  readonly turns = new RequestTurns();
  readonly gate: DocumentGate;
  /** Messages that functions have sent to queues, oldest first. */
  readonly messages: string[] = [];
  /** Log lines of the functions, kept out of the test output. */
  readonly log: string[] = [];
  readonly directory: Table;
  org: FirstOrg = { org_id: "", management_key: "", team_id: "", api_key: "" };
  nowMs = START_MS;
  readonly #calls = new AsyncLocalStorage<CallContext>();
  #random = new SeededRandom(1);
  #histories = 0;
  readonly #stops: (() => void | Promise<void>)[] = [];

  private constructor(documents: DynamoDBDocumentClient) {
    this.directory = new Table(documents, directoryTable.name);
    this.gate = new DocumentGate(documents, this.turns);
  }

  /** Starts the engine. Call once per process. */
  static async open(): Promise<ServiceFixture> {
    const dynamodb = await startDynamodb();
    const deployment = {
      SERVICE_ENVIRONMENT: "sandbox",
      SERVICE_REGION: "us",
      AS_OF_DAYS: "30",
      CHECK_RESPONSES: "1",
      ALLOW_LOOPBACK_WEBHOOKS: "1",
    };
    Object.assign(process.env, deployment);
    useUserCiphers(createUserCiphers());
    useUnwrappedUserKeys();
    const fixture = new ServiceFixture(dynamodb.documents);
    fixture.#stops.push(dynamodb.stop, () => setPorts(undefined));
    fixture.#captureLog();
    fixture.#replaceNeighbours();
    return fixture;
  }

  /** Begins a history: its own organisation and team, and all ids from the seed. */
  async begin(seed: number): Promise<void> {
    this.#random = new SeededRandom(seed);
    this.nowMs = START_MS;
    for (const list of [this.messages, this.log]) list.length = 0;
    const own = () => this.#calls.getStore()?.random ?? this.#random;
    const uuid = () => own().uuid();
    const bytes = (length: number) => Buffer.from(Array.from({ length }, () => own().integerBelow(256)));
    const note = <T>(value: T, text: string): T => {
      this.#calls.getStore()?.drawn.push(text);
      return value;
    };
    const drawId = (id = uuid()) => note(id, id);
    // A zero byte gives no pause before a retry.
    const drawBytes = (length: number, some = length === 1 ? Buffer.alloc(1) : bytes(length)) =>
      note(some, some.toString("hex"));
    const now = () => this.#calls.getStore()?.nowMs ?? this.nowMs;
    setPorts({ clock: { now }, ids: { uuid: () => drawId(), bytes: (length) => drawBytes(length) } });
    // The same seed again has another team, and nothing of the first history.
    const team = new SeededRandom(-++this.#histories);
    const ofTeam = { uuid: () => team.uuid(), bytes: (length: number) => Buffer.from(team.uuid().slice(0, length)) };
    const about = { name: "history", now: new Date(this.nowMs).toISOString(), ...ofTeam };
    const options = { ...about, environment: "sandbox", region: "us" } as const;
    this.org = planFirstOrg(options);
    await writeFirstOrg(this.directory, this.org, options);
  }

  /** The context of a call that begins now. Each call has an instant of its own. */
  newCall(): CallContext {
    this.nowMs += 1;
    return { nowMs: this.nowMs, drawn: [], random: new SeededRandom(this.#random.integerBelow(2 ** 31)) };
  }

  /** Calls a route as a client does. @returns undefined without an answer. @throws Error for 5xx other than 503. */
  async call(
    { contract, handler }: Route,
    { headers = {}, ...parts }: CallParts = {},
    context: CallContext = this.newCall(),
  ): Promise<RouteAnswer | undefined> {
    prepareEnvironment(contract.access);
    const isManagement = contract.auth === "management";
    const event = requestEvent({ ...parts, method: contract.method, apiKey: this.org.api_key });
    const key = isManagement ? { "x-management-key": this.org.management_key } : event.headers;
    const run = () => handler({ ...event, headers: { ...key, ...headers } }, invocation);
    const answer = await this.#calls.run(context, () => this.turns.call(run));
    if (answer === undefined || answer.statusCode === 503) return undefined;
    const { statusCode = 0, body = "" } = answer;
    if (statusCode >= 500)
      throw new Error(
        `${contract.operationId}: ${statusCode} ${body} ${this.log.filter((line) => line.includes('"error"')).at(-1)}`,
      );
    return { status: statusCode, body: body === "" ? {} : JSON.parse(body) };
  }

  /** Gives records to a consumer. @returns whether each was consumed; undefined if the function was killed. */
  async consume({ contract, handler }: Consumer, records: readonly object[]): Promise<boolean[] | undefined> {
    prepareEnvironment(contract.access);
    const Records = records.map((record, place) => ({ messageId: String(place), eventID: String(place), ...record }));
    const run = () => handler({ Records } as never, invocation);
    const answer = await this.#calls.run(this.newCall(), () => this.turns.call(run));
    if (answer === undefined) return undefined;
    const { batchItemFailures } = answer as { batchItemFailures: { itemIdentifier: string }[] };
    return records.map((_, place) => !batchItemFailures.some((one) => one.itemIdentifier === String(place)));
  }

  /** Starts a timer's function. @returns whether it ended alive, with success. */
  async start({ contract, handler }: Consumer, input: object): Promise<boolean> {
    prepareEnvironment(contract.access);
    const run = () =>
      handler(input as never, invocation).then(
        () => true,
        () => false,
      );
    return (await this.#calls.run(this.newCall(), () => this.turns.call(run))) ?? false;
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }

  /** Stands in for all services but the database. */
  #replaceNeighbours(): void {
    const data = Buffer.alloc(32, 3);
    const objects = new Map<string, unknown>();
    this.#replace(SQSClient.prototype, "SQS", async ({ input }: SendMessageCommand) => {
      this.messages.push(input.MessageBody ?? "");
    });
    this.#replace(EventBridgeClient.prototype, "EventBridge", async ({ input }: PutEventsCommand) => ({
      Entries: input.Entries?.map(() => ({ EventId: "id" })),
    }));
    this.#replace(SFNClient.prototype, "Step Functions", async () => ({ executionArn: "execution" }));
    this.#replace(KMSClient.prototype, "KMS", async (_: GenerateDataKeyCommand) => ({
      Plaintext: data,
      CiphertextBlob: data,
    }));
    this.#replace(Bucket.s3, "S3", async ({ input }: { input: { Key: string; Body?: unknown } }) => {
      if (input.Body !== undefined) objects.set(input.Key, input.Body);
      const Body = { transformToByteArray: async () => objects.get(input.Key) };
      return objects.has(input.Key) ? { Body } : {};
    });
  }

  #replace<C extends object>(client: { send: unknown }, name: string, answer: (command: C) => Promise<unknown>): void {
    const { send } = client;
    const replaced = (command: C) => {
      const one = () => answer(command);
      return this.turns.pass({
        name: `${name} ${command.constructor.name}`,
        send: one,
        sendAgain: () => one().then(one),
      });
    };
    Object.assign(client, { send: replaced });
    this.#stops.push(() => void Object.assign(client, { send }));
  }

  #captureLog(): void {
    const { info, warn, error } = console;
    const keep = (line: string) => void this.log.push(line);
    Object.assign(console, { info: keep, warn: keep, error: keep });
    this.#stops.push(() => void Object.assign(console, { info, warn, error }));
  }
}

/** Names the resources of a function, as its stack does. */
function prepareEnvironment(access: readonly Grant[]): void {
  for (const { resource } of access) process.env[resourceVariable(resource)] ??= "unused";
}
