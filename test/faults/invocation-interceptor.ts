import { Gateway } from "../../lib/local/http-api/gateway.ts";
import { settle } from "../../lib/local/settle.ts";
import { CONTAINER_VARIABLE } from "../../lib/runtime/container.ts";
import { ports } from "../../lib/runtime/ports.ts";
import type { TestService } from "../support/service.ts";
import { type Invocation, operationOf } from "./invocation.ts";
import { TrialRunner } from "./trial-runner.ts";

/** Visits invocations before they run for real. */
export interface InvocationVisitor {
  /** Whether to visit the next invocation of an operation. */
  readonly shouldVisit: (operation: string) => boolean;
  /** Makes trial runs of an invocation and undoes them. */
  readonly visit: (invocation: Invocation) => Promise<void>;
}

/** Passes the invocations of a running service to a visitor, one after the other, each before its real run. */
export class InvocationInterceptor {
  readonly runner: TrialRunner;
  readonly #visitor: InvocationVisitor;
  readonly #end: () => void;
  #turn: Promise<unknown> = Promise.resolve();
  #rehearsed = 0;

  constructor(service: TestService, visitor: InvocationVisitor) {
    const { host } = service.cloud;
    this.runner = new TrialRunner(service.cloud);
    this.#visitor = visitor;
    const { invoke } = host;
    host.invoke = (name, event) => this.#inTurn(name, event);
    // Trial runs take longer than the time after which the service counts as idle.
    service.settle = async () => {
      for (let isIdle = false; !isIdle; ) isIdle = (await settle(service.cloud)).idle;
    };
    const { maxIntegrationMs } = Gateway;
    // Trial runs during a request take longer than the gateway's timeout.
    Object.assign(Gateway, { maxIntegrationMs: 3_600_000 });
    this.#end = () => {
      Object.assign(Gateway, { maxIntegrationMs });
      host.invoke = invoke;
    };
  }

  stop(): void {
    this.#end();
    this.runner.stop();
  }

  /** Serializes invocations, except those that an external system makes while an invocation waits for it. */
  #inTurn(name: string, event: unknown): Promise<unknown> {
    if (this.runner.isOutside) return this.runner.invokeUntouched(name, event);
    const turn = this.#turn.then(() => this.#invoke(name, event));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #invoke(nameOrArn: string, payload: unknown): Promise<unknown> {
    const event = this.runner.dropPhantomRecords(payload);
    if (event === undefined) return {};
    const name = nameOrArn.slice(nameOrArn.lastIndexOf(":") + 1);
    const operation = operationOf(name);
    if (!this.#visitor.shouldVisit(operation)) return this.runner.invokeUntouched(name, event);
    const { [CONTAINER_VARIABLE]: container } = process.env;
    // Trial runs can cache data with later timestamps, and the cache would then keep it too long.
    this.#rehearsed += 1;
    process.env[CONTAINER_VARIABLE] = `rehearsal ${this.#rehearsed}`;
    this.runner.reset();
    await this.#visitor.visit({ name, operation, event, at: ports().clock.now() });
    process.env[CONTAINER_VARIABLE] = container;
    return this.runner.invokeForReal(name, event);
  }
}
