import { AsyncLocalStorage } from "node:async_hooks";
import type { Fault } from "../deletion/turns.ts";

/** One run of a function. Once it is dead, nothing that it still asks for happens. */
interface Invocation {
  isDead: boolean;
}

/** Stands before the services: every request of a function waits here for its turn, and meets its fault. */
export class Gate {
  /** Waits for a turn, and names the fault that the request is to meet. */
  turn: (step: string) => Promise<Fault | undefined> = async () => undefined;
  /** Whether the function dies of the fault that has just befallen it. */
  isKilled: () => boolean = () => false;
  readonly #invocations = new AsyncLocalStorage<Invocation>();

  /** Runs a function as its platform does. @throws Error when it dies on the way. */
  async invoke<T>(run: () => Promise<T>): Promise<T> {
    const invocation = { isDead: false };
    const result = await this.#invocations.run(invocation, run);
    if (invocation.isDead) throw new Error("the function was killed");
    return result;
  }

  /** Lets a request of an invocation through in its turn; requests of the test itself pass at once. */
  async pass<T>(step: string, request: () => Promise<T>): Promise<T> {
    const invocation = this.#invocations.getStore();
    if (!invocation) return request();
    if (invocation.isDead) throw lost();
    const fault = await this.turn(step);
    if (fault !== undefined) invocation.isDead = this.isKilled();
    if (fault === "request lost") throw lost();
    const answer = await request();
    if (fault === "answer lost") throw lost();
    return answer;
  }
}

/** What the SDK throws when the connection broke. */
function lost(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}
