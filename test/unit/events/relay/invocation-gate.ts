import { AsyncLocalStorage } from "node:async_hooks";
import type { Fault } from "../../support/step-scheduler.ts";

/** One invocation of a function. Once it is dead, its further requests fail. */
interface Invocation {
  isDead: boolean;
}

/** Intercepts every request of a function: waits for its turn and injects its fault. */
export class InvocationGate {
  /** Waits for a turn. @returns the fault to inject into the request. */
  awaitTurn: (step: string) => Promise<Fault | undefined> = async () => undefined;
  /** Whether the function dies of the fault that was just injected. */
  isKilled: () => boolean = () => false;
  readonly #invocations = new AsyncLocalStorage<Invocation>();

  /** Runs a function as Lambda does. @throws Error when the function dies. */
  async invoke<T>(run: () => Promise<T>): Promise<T> {
    const invocation = { isDead: false };
    const result = await this.#invocations.run(invocation, run);
    if (invocation.isDead) throw new Error("the function was killed");
    return result;
  }

  /** Passes a request of an invocation at its turn. Requests of the test itself pass at once. */
  async pass<T>(step: string, request: () => Promise<T>): Promise<T> {
    const invocation = this.#invocations.getStore();
    if (!invocation) return request();
    if (invocation.isDead) throw lost();
    const fault = await this.awaitTurn(step);
    if (fault !== undefined) invocation.isDead = this.isKilled();
    if (fault === "request lost") throw lost();
    const answer = await request();
    if (fault === "answer lost") throw lost();
    return answer;
  }
}

/** The error that the SDK throws for a broken connection. */
function lost(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}
