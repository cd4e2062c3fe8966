import { Gateway } from "../../lib/local/http-api/gateway.ts";
import { settle } from "../../lib/local/settling.ts";
import { CONTAINER } from "../../lib/runtime/container.ts";
import { ports } from "../../lib/runtime/ports.ts";
import type { TestService } from "../support/service.ts";
import { type Invocation, operationOf } from "./invocation.ts";
import { Rehearsal } from "./rehearsal.ts";

/** Who looks at invocations before they are made for good. */
export interface Visitor {
  /** Whether the next invocation of an operation is looked at. */
  readonly wants: (operation: string) => boolean;
  /** Rehearses an invocation, and leaves all as it was. */
  readonly visit: (invocation: Invocation) => Promise<void>;
}

/** Has a visitor look at the invocations of a running service, one after the other, each before it is made for good. */
export class EachInvocation {
  readonly rehearsal: Rehearsal;
  readonly #visitor: Visitor;
  readonly #end: () => void;
  #turn: Promise<unknown> = Promise.resolve();
  #rehearsed = 0;

  constructor(service: TestService, visitor: Visitor) {
    const { host } = service.cloud;
    this.rehearsal = new Rehearsal(service.cloud);
    this.#visitor = visitor;
    const { invoke } = host;
    host.invoke = (name, event) => this.#inTurn(name, event);
    // Trying takes longer than a service that is only used has to do something.
    service.settle = async () => {
      for (let isIdle = false; !isIdle; ) isIdle = (await settle(service.cloud)).idle;
    };
    const { maxIntegrationMs } = Gateway;
    // What is rehearsed on the way takes longer than a gateway waits.
    Object.assign(Gateway, { maxIntegrationMs: 3_600_000 });
    this.#end = () => {
      Object.assign(Gateway, { maxIntegrationMs });
      host.invoke = invoke;
    };
  }

  end(): void {
    this.#end();
    this.rehearsal.end();
  }

  /** One invocation after the other, but for those that somebody outside makes who is asked in one. */
  #inTurn(name: string, event: unknown): Promise<unknown> {
    if (this.rehearsal.isOutside) return this.rehearsal.pass(name, event);
    const turn = this.#turn.then(() => this.#invoke(name, event));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #invoke(nameOrArn: string, told: unknown): Promise<unknown> {
    const event = this.rehearsal.withoutPhantoms(told);
    if (event === undefined) return {};
    const name = nameOrArn.slice(nameOrArn.lastIndexOf(":") + 1);
    const operation = operationOf(name);
    if (!this.#visitor.wants(operation)) return this.rehearsal.pass(name, event);
    const { [CONTAINER]: container } = process.env;
    // What rehearsals read may be dated later than now, and would be remembered for too long.
    this.#rehearsed += 1;
    process.env[CONTAINER] = `rehearsal ${this.#rehearsed}`;
    this.rehearsal.begin();
    await this.#visitor.visit({ name, operation, event, at: ports().clock.now() });
    process.env[CONTAINER] = container;
    return this.rehearsal.perform(name, event);
  }
}
