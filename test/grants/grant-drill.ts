import { setTimeout as sleep } from "node:timers/promises";
import { permits } from "../../lib/local/front/authorization.ts";
import type { Permission } from "../../lib/local/front/permission.ts";
import { CONTAINER } from "../../lib/runtime/container.ts";
import { EachInvocation } from "../faults/each-invocation.ts";
import type { Invocation } from "../faults/invocation.ts";
import { hurry } from "../faults/rehearsal.ts";
import type { TestService } from "../support/service.ts";
import { AskedPermissions } from "./asked-permissions.ts";
import { factsOf, lostFacts } from "./facts.ts";
import { covers, type Grant, without } from "./grant.ts";
import { SignedLinks } from "./signed-links.ts";
import { stepOf } from "./step.ts";

/** The effect on a step of the story when its function lost one grant. */
export interface Removal {
  readonly grant: Grant;
  /** The step; absent if no step uses the grant. */
  readonly step?: string;
  /** Facts of both runs with the grant that the run without it lacks; empty if nothing detects the removal. */
  readonly lost: readonly string[];
  /** The response of the step without the grant. */
  readonly instead?: string;
}

interface Trial {
  readonly facts: readonly string[];
  readonly asked: readonly Permission[];
  /** Whether the policy denied a request of the function. */
  readonly isDenied: boolean;
}

/** Longer than the time between two calls of a function. */
const BESIDE_MS = 40;
/** Number of steps that may use a grant without effect before the drill reports it as undetected. */
const MOST_STEPS = 5;

/**
 * Removes grants from functions of a running service, one at a time, and finds out which steps detect it. For each step
 * that uses a grant, it makes trial runs with the grant, without it and with it again, each in a new container, before
 * the real run.
 */
export class GrantDrill {
  readonly noticed: Removal[] = [];
  readonly #service: TestService;
  readonly #pending: Set<Grant>;
  readonly #unnoticed = new Map<Grant, Removal[]>();
  readonly #each: EachInvocation;
  readonly #watch: AskedPermissions;
  readonly #links: SignedLinks;
  #containers = 0;
  #onAsked: (caller: string, permission: Permission) => void = () => undefined;

  constructor(service: TestService, grants: readonly Grant[]) {
    this.#service = service;
    this.#pending = new Set(grants);
    this.#watch = new AskedPermissions(service.cloud, (caller, permission) => this.#onAsked(caller, permission));
    this.#links = new SignedLinks(service.cloud, this.#watch, {
      pending: () => this.#pending,
      tell: (removal) => this.#note(removal),
    });
    this.#each = new EachInvocation(service, {
      wants: (operation) => [...this.#pending].some((grant) => grant.operation === operation),
      visit: (invocation) => this.#visit(invocation),
    });
  }

  /** Ends the drill. @returns each undetected removal, with the last step that uses the grant, if any. */
  end(): Removal[] {
    this.#each.end();
    this.#links.end();
    this.#watch.end();
    const told = new Map([...this.#unnoticed].map(([grant, removals]) => [grant, removals.at(-1)]));
    const unused = [...this.#pending].filter((grant) => !told.has(grant)).map((grant) => ({ grant, lost: [] }));
    return [...[...told.values()].filter((one) => one !== undefined), ...unused];
  }

  async #visit(invocation: Invocation): Promise<void> {
    const first = await this.#rehearse(invocation);
    const mine = [...this.#pending].filter(({ caller }) => caller === invocation.name);
    for (const grant of mine.filter((one) => isAsked(first, one))) {
      const removed = await this.#rehearse(invocation, grant);
      const again = await this.#rehearse(invocation);
      const lost = removed.isDenied ? lostFacts(first.facts, again.facts, removed.facts) : [];
      this.#note({ grant, step: stepOf(invocation), lost, instead: removed.facts[0] ?? "" });
    }
  }

  #note(removal: Removal): void {
    const { grant, lost } = removal;
    const before = this.#unnoticed.get(grant) ?? [];
    if (lost.length > 0) {
      this.noticed.push(removal);
      this.#unnoticed.delete(grant);
    } else this.#unnoticed.set(grant, [...before, removal]);
    if (lost.length > 0 || before.length + 1 >= MOST_STEPS) this.#pending.delete(grant);
  }

  /** Runs a step and undoes it. @param removed a grant that the function lacks during this run. */
  async #rehearse(invocation: Invocation, removed?: Grant): Promise<Trial> {
    const { policies } = this.#service.cloud;
    const { rehearsal } = this.#each;
    const whole = policies.get(invocation.name) ?? [];
    const policy = removed ? without(whole, removed) : whole;
    const asked: Permission[] = [];
    this.#onAsked = (caller, permission) => void (caller === invocation.name && asked.push(permission));
    policies.set(invocation.name, policy);
    this.#containers += 1;
    process.env[CONTAINER] = `trial ${this.#containers}`;
    const unhurried = hurry();
    const run = await rehearsal.run(invocation, "reference");
    if (removed) await silence(asked);
    unhurried();
    policies.set(invocation.name, whole);
    await rehearsal.undo();
    this.#onAsked = () => undefined;
    return { facts: factsOf(run), asked, isDenied: !asked.every((permission) => permits(policy, permission)) };
  }
}

const isAsked = ({ asked }: Trial, grant: Grant): boolean => asked.some((permission) => covers(grant, permission));

/** Waits until no function sends requests. A failed call can leave parallel calls in progress. */
async function silence(asked: readonly Permission[]): Promise<void> {
  for (let heard = -1; heard < asked.length; ) {
    heard = asked.length;
    await sleep(BESIDE_MS);
  }
}
