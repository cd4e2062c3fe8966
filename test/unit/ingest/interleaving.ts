import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { Fault } from "../deletion/turns.ts";

/** A request of a function that waits to be carried out. */
export interface Waiting {
  readonly task: string;
  /** Command and table. */
  readonly step: string;
}

/** Of the requests that wait the one that is next, and the fault that it meets. */
export type Choose = (waiting: readonly Waiting[]) => { readonly next: Waiting; readonly fault?: Fault | undefined };

interface Request extends Waiting {
  readonly carryOut: (fault: Fault | undefined) => Promise<void>;
}

/**
 * Plays functions that run at the same time and may each ask for several things at once: of all requests that wait, one
 * is chosen and carried out after the other. Requests of a function that has failed wait on.
 */
export class Interleaving {
  /** Every request in the order in which it was carried out. */
  readonly trace: string[] = [];
  readonly #tasks = new AsyncLocalStorage<string>();
  #waiting: Request[] = [];

  /** Stands before a client, for good. */
  constructor(documents: DynamoDBDocumentClient) {
    const send = documents.send.bind(documents);
    const pass = (command: { readonly input: { readonly TableName?: string } }): Promise<unknown> => {
      const request = () => send(command as never);
      const task = this.#tasks.getStore();
      if (task === undefined) return request();
      return this.#wait({ task, step: `${command.constructor.name} ${command.input.TableName}` }, request);
    };
    Object.assign(documents, { send: pass });
  }

  /** Runs the tasks, by name, until nothing of them is left. @throws what a task threw. */
  async play(tasks: Readonly<Record<string, () => Promise<unknown>>>, choose: Choose): Promise<void> {
    this.trace.length = 0;
    let running = Object.keys(tasks).length;
    const runs = Object.entries(tasks).map(([name, run]) =>
      this.#tasks.run(name, run).finally(() => {
        running -= 1;
      }),
    );
    const done = Promise.allSettled(runs);
    while (running > 0 || this.#waiting.length > 0) {
      // Twice, so that every function that can go on has come to its next request.
      await setImmediate();
      await setImmediate();
      if (this.#waiting.length > 0) await this.#next(choose);
    }
    for (const result of await done) if (result.status === "rejected") throw result.reason;
  }

  async #next(choose: Choose): Promise<void> {
    const { next, fault } = choose(this.#waiting);
    const request = this.#waiting.find((one) => one === next);
    if (!request) throw new Error("what is chosen must wait");
    this.#waiting = this.#waiting.filter((one) => one !== request);
    this.trace.push(`${next.task}: ${next.step}${fault ? ` (${fault})` : ""}`);
    await request.carryOut(fault);
  }

  #wait(about: Waiting, request: () => Promise<unknown>): Promise<unknown> {
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

/** What the SDK throws when the connection broke. */
function lost(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}
