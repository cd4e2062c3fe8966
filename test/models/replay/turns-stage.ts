import { AsyncLocalStorage } from "node:async_hooks";
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  ScanCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { eventTable } from "../../../lib/contract/resources.ts";
import type { EventReference } from "../../../lib/events/catalogue/envelope.ts";
import type { AttemptMessage } from "../../../lib/events/webhooks/delivery.ts";
import { type Ports, setPorts } from "../../../lib/runtime/ports.ts";
import { attemptDelivery } from "../../../lib/services/webhooks/attempt-delivery.ts";
import { deliverEvents } from "../../../lib/services/webhooks/deliver-events.ts";
import { dispatchDueDeliveries } from "../../../lib/services/webhooks/dispatch-due-deliveries.ts";
import type { AttemptResult } from "../../../lib/services/webhooks/post-webhook.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import type { WriteItem } from "../../../lib/store/transaction.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";
import type { Fault } from "../../unit/support/step-scheduler.ts";
import { log, type RaceDependencies, raceDependencies } from "../../unit/webhooks/race-dependencies.ts";
import { type InvocationSteps, nameRequest } from "./turns-requests.ts";

/** One invocation of a consumer. Once it is dead, its further requests fail. */
interface Invocation extends InvocationSteps {
  isDead: boolean;
}

/** A run on the stage. */
export interface TurnsRun {
  /** Waits for a turn. @returns the fault to inject into the request. */
  awaitTurn(step: string): Promise<Fault | undefined>;
  /** Whether the invocation dies of the fault that was just injected. */
  isKilled(): boolean;
  now(): number;
  /** @param isRetry whether the message is that of an attempt that a write scheduled for later. */
  enqueue(message: AttemptMessage, delayMs: number, isRetry: boolean): void;
  /** The request of the running worker begins. */
  begin(fence: number, eventId: string): void;
  /** Answers the request with a fencing token. */
  answer(fence: number): Omit<AttemptResult, "durationMs">;
}

/** The error that the SDK throws for a broken connection. */
export class LostRequest extends Error {}

/** Both consumers and the sweeper on the real engine, with a receiver and queues that the run plays. */
export class TurnsStage {
  /** Alters a write, to prove that a replay refuses a store without its conditions. */
  tamper: (item: WriteItem) => WriteItem = (item) => item;
  /** Whether the message to a delivery that waits for a released lease gets lost. */
  isForgetful = false;
  readonly #dynamodb: TestDynamodb;
  readonly #deps: RaceDependencies;
  readonly #invocations = new AsyncLocalStorage<Invocation>();
  #run: TurnsRun | undefined;
  #items: readonly Record<string, unknown>[] | undefined;
  #announced = { fence: 0, eventId: "" };

  private constructor(dynamodb: TestDynamodb) {
    this.#dynamodb = dynamodb;
    this.#deps = this.#dependencies(dynamodb.documents);
  }

  /** Starts the engine. Call once per process. */
  static async open(): Promise<TurnsStage> {
    return new TurnsStage(await startDynamodb());
  }

  async close(): Promise<void> {
    setPorts(undefined);
    await this.#dynamodb.stop();
  }

  /** Empties the tables. */
  async prepare(run: TurnsRun): Promise<void> {
    this.#run = run;
    for (const { pk, sk } of await this.readItems())
      await this.#dynamodb.documents.send(new DeleteCommand({ TableName: eventTable.name, Key: { pk, sk } }));
    this.#items = [];
    const outbound = (() => this.#post()) as Ports["outbound"];
    // Zero bytes give no jitter.
    const ids = { uuid: () => "", bytes: (length: number) => Buffer.alloc(length) };
    setPorts({ clock: { now: () => run.now() }, ids, outbound });
  }

  /** Delivers the message of an event to the planner. @returns the error that makes it come again. */
  async deliver(event: EventReference, isRedelivered: boolean): Promise<unknown> {
    return this.#invoke(true, async () => {
      const [failed] = await deliverEvents([{ message: event, log, isRedelivered }], TeamScope.grant, this.#deps);
      if (failed) throw failed.error;
    });
  }

  /** Delivers a message of the attempt queue. @returns the error that makes it come again. */
  async attempt(message: AttemptMessage): Promise<unknown> {
    return this.#invoke(false, () => attemptDelivery({ scope: TeamScope.grant("t"), message, log }, this.#deps));
  }

  async sweep(nowMs: number): Promise<void> {
    await dispatchDueDeliveries(nowMs, this.#deps);
  }

  /** All stored items. Reads them again only after a write. */
  async readItems(): Promise<readonly Record<string, unknown>[]> {
    this.#items ??= (await this.#dynamodb.documents.send(new ScanCommand({ TableName: eventTable.name }))).Items ?? [];
    return this.#items;
  }

  async #invoke(isFirst: boolean, work: () => Promise<void>): Promise<unknown> {
    const invocation = { isFirst, isDead: false, last: "" };
    try {
      await this.#invocations.run(invocation, work);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** Passes a request at its turn; at once without a step of its own, or if it is no request of an invocation. */
  async #pass<T>(step: string, request: () => Promise<T>): Promise<T> {
    const invocation = this.#invocations.getStore();
    if (invocation?.isDead) throw new LostRequest();
    if (!invocation || !this.#run || step === "") return request();
    const fault = await this.#run.awaitTurn(step);
    if (fault !== undefined) invocation.isDead = this.#run.isKilled();
    if (fault === "request lost") throw new LostRequest();
    const answer = await request();
    if (fault === "answer lost") throw new LostRequest();
    return answer;
  }

  async #post(): Promise<AttemptResult> {
    const { fence, eventId } = this.#announced;
    this.#run?.begin(fence, eventId);
    return this.#pass("response", async () => ({ durationMs: 1, ...this.#run?.answer(fence) }) as AttemptResult);
  }

  #dependencies(documents: DynamoDBDocumentClient): RaceDependencies {
    const send = async (message: AttemptMessage, { delayS = 0 } = {}) => {
      const { last } = this.#invocations.getStore() ?? {};
      const isRetry = last === "record";
      if (this.isForgetful && last === "release") return;
      await this.#pass("", async () => this.#run?.enqueue(message, delayS * 1000, isRetry));
    };
    const sendAll = (messages: readonly AttemptMessage[], options = {}) =>
      Promise.all(messages.map((message) => send(message, options)));
    const record = (_: TeamScope, { id }: { readonly id: string }) =>
      this.#pass("attempt", async () => {
        const [eventId = "", , fence] = id.split("/");
        this.#announced = { fence: Number(fence), eventId };
      });
    return raceDependencies(this.#gate(documents), { send, sendAll, record, addAttempt: () => this.#pass("", none) });
  }

  #gate(documents: DynamoDBDocumentClient): DynamoDBDocumentClient {
    const send = async (command: { readonly input: object }): Promise<unknown> => {
      const invocation = this.#invocations.getStore();
      if (!invocation) return documents.send(command as never);
      const { step, does } = nameRequest(command, invocation);
      const result = await this.#pass(step, async () => {
        try {
          const answer = await documents.send(this.#alter(command) as never);
          invocation.last = does;
          return { answer };
        } catch (error) {
          invocation.last = `${does} failed`;
          return { error };
        }
      });
      if ("error" in result) throw result.error;
      return result.answer;
    };
    return { send } as unknown as DynamoDBDocumentClient;
  }

  /** The request, with an altered write. */
  #alter(command: { readonly input: object }): object {
    if (command instanceof UpdateCommand || command instanceof PutCommand) this.#items = undefined;
    if (command instanceof UpdateCommand)
      return new UpdateCommand(this.tamper({ Update: command.input } as WriteItem).Update as UpdateCommand["input"]);
    if (command instanceof PutCommand)
      return new PutCommand(this.tamper({ Put: command.input } as WriteItem).Put as PutCommand["input"]);
    return command;
  }
}

const none = async (): Promise<void> => {};
