import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";

/**
 * The fault of a request. A repeated one takes effect twice, as when a client of AWS sends it again after a lost answer.
 * A late one takes effect at any time after its caller gave up. A killed function sends nothing more.
 */
export const requestFaults = ["lost", "answer lost", "throttled", "repeated", "late", "killed"] as const;
export type RequestFault = (typeof requestFaults)[number];

/** A request to the outside of a function. */
export interface OutgoingRequest {
  /** The command and its table, for the trace. */
  readonly name: string;
  readonly send: () => Promise<unknown>;
  /** Sends it as the client of AWS repeats it; undefined if the client never repeats it. */
  readonly sendAgain: (() => Promise<unknown>) | undefined;
}

/** A client of the service with its current call. */
interface Caller {
  readonly name: string;
  isKilled: boolean;
}

interface Waiting {
  readonly caller: string;
  readonly name: string;
  readonly carryOut: (fault: RequestFault | undefined) => Promise<void>;
}

/** Chooses the next of the waiting requests, and its fault. */
export type ChooseRequest = (waiting: readonly { readonly caller: string; readonly name: string }[]) => {
  readonly place: number;
  readonly fault?: RequestFault | undefined;
};

/** Lets concurrent clients take turns: one request at a time, in the chosen order, while all others wait. */
export class RequestTurns {
  /** Every request in order. */
  readonly trace: string[] = [];
  readonly #callers = new AsyncLocalStorage<Caller>();
  #waiting: Waiting[] = [];
  /** Requests that take no turn and have no answer yet. */
  #passing = 0;

  /** Runs clients until they end. @throws the error of a client. */
  async run(clients: Readonly<Record<string, () => Promise<void>>>, choose: ChooseRequest): Promise<void> {
    this.trace.length = 0;
    const running = new Set(Object.keys(clients));
    const runs = Object.entries(clients).map(([name, run]) =>
      this.#callers.run({ name, isKilled: false }, run).finally(() => running.delete(name)),
    );
    const done = Promise.allSettled(runs);
    let known = -1;
    for (;;) {
      await setImmediate();
      const isSettled = [...running].every((name) => this.#waiting.some(({ caller }) => caller === name));
      // Whatever a client sends at the same time waits too before a turn, so real time decides nothing.
      const isUnchanged = this.#waiting.length === known;
      known = this.#waiting.length;
      if (!isSettled || !isUnchanged || this.#passing > 0) continue;
      known = -1;
      if (running.size === 0 && this.#waiting.length === 0) break;
      await this.#next(choose);
    }
    for (const result of await done) if (result.status === "rejected") throw result.reason;
  }

  /** Runs one call of a client, or of the test itself. @returns its answer; undefined if its function was killed. */
  async call<T>(work: () => Promise<T>): Promise<T | undefined> {
    const client = this.#callers.getStore();
    if (!client) return work();
    const caller = { name: client.name, isKilled: false };
    const answer = await this.#callers.run(caller, work).catch((error) => {
      if (!caller.isKilled) throw error;
      return undefined;
    });
    return caller.isKilled ? undefined : answer;
  }

  /** Sends a request at once. No other request gets its turn before the answer. */
  async passAtOnce(send: () => Promise<unknown>): Promise<unknown> {
    this.#passing++;
    return send().finally(() => this.#passing--);
  }

  /** Sends a request at its turn. Requests of the test itself pass at once. */
  pass(request: OutgoingRequest): Promise<unknown> {
    const caller = this.#callers.getStore();
    if (!caller) return request.send();
    if (caller.isKilled) return Promise.reject(connectionLost());
    return new Promise((resolve, reject) => {
      const carryOut = async (fault: RequestFault | undefined) => {
        const [result] = await Promise.allSettled([this.#perform(request, caller, fault)]);
        if (result.status === "fulfilled") resolve(result.value);
        else reject(result.reason);
      };
      this.#waiting.push({ caller: caller.name, name: request.name, carryOut });
    });
  }

  async #perform({ name, send, sendAgain }: OutgoingRequest, caller: Caller, fault?: RequestFault): Promise<unknown> {
    if (caller.isKilled || fault === "lost") throw connectionLost();
    if (fault === "throttled") throw throttled();
    if (fault === "late") {
      const carryOut = async () => void (await Promise.allSettled([send()]));
      this.#waiting.push({ caller: `${caller.name}, late`, name, carryOut });
      throw connectionLost();
    }
    if (fault === "repeated" && sendAgain) return sendAgain();
    if (fault !== "answer lost" && fault !== "killed") return send();
    caller.isKilled = fault === "killed";
    await Promise.allSettled([send()]);
    throw connectionLost();
  }

  async #next(choose: ChooseRequest): Promise<void> {
    // A fixed order of those that wait, whichever of them came first.
    this.#waiting.sort((a, b) => (a.caller < b.caller ? -1 : Number(a.caller > b.caller)));
    const { place, fault } = choose(this.#waiting);
    const [request] = this.#waiting.splice(place, 1);
    if (!request) throw new Error("the chosen request must wait");
    this.trace.push(`${request.caller}: ${request.name}${fault ? ` (${fault})` : ""}`);
    await request.carryOut(fault);
  }
}

/** The error that the SDK throws for a broken connection. */
const connectionLost = () => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });

/** The error that the SDK throws once its retries are over. */
const throttled = () =>
  Object.assign(new Error("slow down"), { name: "ProvisionedThroughputExceededException", $fault: "client" });
