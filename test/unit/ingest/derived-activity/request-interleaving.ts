import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { Fault } from "../../support/step-scheduler.ts";

/** A pending request of a function. */
export interface PendingRequest {
  readonly task: string;
  /** Command and table. */
  readonly step: string;
}

/** Selects the next pending request and the fault to inject into it. */
export type SelectRequest = (waiting: readonly PendingRequest[]) => {
  readonly next: PendingRequest;
  readonly fault?: Fault | undefined;
};

interface Request extends PendingRequest {
  readonly carryOut: (fault: Fault | undefined) => Promise<void>;
}

/**
 * Interleaves the requests of concurrent functions. A function may have several requests pending. All pending requests
 * run one at a time in the selected order, including those of a function that has already failed.
 */
export class RequestInterleaving {
  /** Every request in execution order. */
  readonly trace: string[] = [];
  readonly #tasks = new AsyncLocalStorage<string>();
  #waiting: Request[] = [];

  /** Intercepts a client permanently. */
  constructor(documents: DynamoDBDocumentClient) {
    const send = documents.send.bind(documents);
    const pass = (command: { readonly input: { TableName?: string; RequestItems?: object } }): Promise<unknown> => {
      const { TableName, RequestItems = {} } = command.input;
      const request = () => send(command as never);
      const task = this.#tasks.getStore();
      if (task === undefined) return request();
      return this.#wait(
        { task, step: `${command.constructor.name} ${TableName ?? Object.keys(RequestItems).join(" ")}` },
        request,
      );
    };
    Object.assign(documents, { send: pass });
  }

  /** Runs the named tasks until all requests are done. @throws the error of a task. */
  async run(tasks: Readonly<Record<string, () => Promise<unknown>>>, choose: SelectRequest): Promise<void> {
    this.trace.length = 0;
    let running = Object.keys(tasks).length;
    const runs = Object.entries(tasks).map(([name, run]) =>
      this.#tasks.run(name, run).finally(() => {
        running -= 1;
      }),
    );
    const done = Promise.allSettled(runs);
    while (running > 0 || this.#waiting.length > 0) {
      // Two turns of the event loop let every runnable function reach its next request.
      await setImmediate();
      await setImmediate();
      if (this.#waiting.length > 0) await this.#next(choose);
    }
    for (const result of await done) if (result.status === "rejected") throw result.reason;
  }

  async #next(choose: SelectRequest): Promise<void> {
    const { next, fault } = choose(this.#waiting);
    const request = this.#waiting.find((one) => one === next);
    if (!request) throw new Error("the selected request must be pending");
    this.#waiting = this.#waiting.filter((one) => one !== request);
    this.trace.push(`${next.task}: ${next.step}${fault ? ` (${fault})` : ""}`);
    await request.carryOut(fault);
  }

  #wait(about: PendingRequest, request: () => Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const carryOut = async (fault: Fault | undefined) => {
        if (fault === "request lost") return reject(lost());
        const [result] = await Promise.allSettled([request()]);
        if (fault === "answer lost") reject(lost());
        else if (result.status === "fulfilled") resolve(result.value);
        else reject(result.reason);
      };
      this.#waiting.push({ ...about, carryOut });
    });
  }
}

/** The error that the SDK throws for a broken connection. */
function lost(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}
