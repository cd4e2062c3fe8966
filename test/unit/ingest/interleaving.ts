import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { Chance } from "../deletion/chance.ts";
import type { Fault } from "../deletion/turns.ts";

/** A request that waits to be carried out. */
interface Waiting {
  readonly task: string;
  readonly step: string;
  readonly carryOut: (fault: Fault | undefined) => Promise<void>;
}

/**
 * Plays functions that run at the same time and may each ask for several things at once: of all requests that wait, one
 * is drawn and carried out after the other, some with a fault. Requests of a function that has failed wait on.
 */
export class Interleaving {
  /** Every request in the order in which it was carried out. */
  readonly trace: string[] = [];
  /** Share of requests that meet a fault, in percent. */
  faultPercent = 0;
  /** Share of turns after which the same function goes on, in percent: so one may be far ahead of another. */
  sameAgainPercent = 0;
  readonly #tasks = new AsyncLocalStorage<string>();
  #waiting: Waiting[] = [];
  #last: string | undefined;

  /** Stands before a client, for good. */
  constructor(documents: DynamoDBDocumentClient) {
    const send = documents.send.bind(documents);
    const pass = (command: object): Promise<unknown> => {
      const request = () => send(command as never);
      const task = this.#tasks.getStore();
      return task === undefined ? request() : this.#wait(task, command.constructor.name, request);
    };
    Object.assign(documents, { send: pass });
  }

  /** Runs the tasks, by name, until nothing of them is left. @throws what a task threw. */
  async play(chance: Chance, tasks: ReadonlyMap<string, () => Promise<void>>): Promise<void> {
    this.trace.length = 0;
    let running = tasks.size;
    const done = Promise.all(
      [...tasks].map(([name, run]) =>
        this.#tasks.run(name, run).finally(() => {
          running -= 1;
        }),
      ),
    );
    // An unhandled rejection would end the process before the others have come to their end.
    done.catch(() => undefined);
    while (running > 0 || this.#waiting.length > 0) {
      // Twice, so that every function that can go on has come to its next request.
      await setImmediate();
      await setImmediate();
      await this.#next(chance);
    }
    await done;
  }

  async #next(chance: Chance): Promise<void> {
    if (this.#waiting.length === 0) return;
    const same = this.#waiting.filter(({ task }) => task === this.#last);
    const goesOn = same.length > 0 && chance.percent(this.sameAgainPercent);
    const next = chance.pick(goesOn ? same : this.#waiting);
    this.#last = next.task;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    const fault = this.#drawFault(chance);
    this.trace.push(`${next.task}: ${next.step}${fault ? ` (${fault})` : ""}`);
    await next.carryOut(fault);
  }

  #drawFault(chance: Chance): Fault | undefined {
    if (!chance.percent(this.faultPercent)) return undefined;
    return chance.percent(50) ? "request lost" : "answer lost";
  }

  #wait(task: string, step: string, request: () => Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const carryOut = async (fault: Fault | undefined) => {
        if (fault === "request lost") return reject(lost());
        const answer = await Promise.allSettled([request()]);
        if (fault === "answer lost") return reject(lost());
        const [result] = answer;
        if (result.status === "fulfilled") resolve(result.value);
        else reject(result.reason);
      };
      this.#waiting.push({ task, step, carryOut });
    });
  }
}

/** What the SDK throws when the connection broke. */
function lost(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}
