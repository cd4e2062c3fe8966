import { setTimeout as sleep } from "node:timers/promises";
import { isPermitted } from "../../lib/local/aws-proxy/authorization.ts";
import type { Permission } from "../../lib/local/aws-proxy/permission.ts";
import { CONTAINER_VARIABLE } from "../../lib/runtime/container.ts";
import type { Invocation } from "../faults/invocation.ts";
import { InvocationInterceptor } from "../faults/invocation-interceptor.ts";
import { skipPauses } from "../faults/trial-runner.ts";
import type { TestService } from "../support/service.ts";
import { coversPermission, type PolicyGrant, withoutGrant } from "./policy-grant.ts";
import { PresignedRequests } from "./presigned-requests.ts";
import { RequestedPermissions } from "./requested-permissions.ts";
import { describeRun, lostFacts } from "./run-facts.ts";
import { describeStep } from "./story-step.ts";

/** The effect on a step of the story when its function lost one grant. */
export interface GrantRemoval {
  readonly grant: PolicyGrant;
  /** The step; absent if no step uses the grant. */
  readonly step?: string;
  /** Facts of both runs with the grant that the run without it lacks; empty if nothing detects the removal. */
  readonly lost: readonly string[];
  /** The response of the step without the grant. */
  readonly instead?: string;
}

interface GrantTrial {
  readonly facts: readonly string[];
  readonly asked: readonly Permission[];
  /** Whether the policy denied a request of the function. */
  readonly isDenied: boolean;
}

/** Longer than the time between two calls of a function. */
const QUIET_MS = 40;
/** Number of steps that may use a grant without effect before the drill reports it as undetected. */
const MAX_STEPS_PER_GRANT = 5;

/**
 * Removes grants from functions of a running service, one at a time, and finds out which steps detect it. For each step
 * that uses a grant, it makes trial runs with the grant, without it and with it again, each in a new container, before
 * the real run.
 */
export class GrantDrill {
  readonly noticed: GrantRemoval[] = [];
  readonly #service: TestService;
  readonly #pending: Set<PolicyGrant>;
  readonly #unnoticed = new Map<PolicyGrant, GrantRemoval[]>();
  readonly #each: InvocationInterceptor;
  readonly #watch: RequestedPermissions;
  readonly #links: PresignedRequests;
  #containers = 0;
  #onAsked: (caller: string, permission: Permission) => void = () => undefined;

  constructor(service: TestService, grants: readonly PolicyGrant[]) {
    this.#service = service;
    this.#pending = new Set(grants);
    this.#watch = new RequestedPermissions(service.cloud, (caller, permission) => this.#onAsked(caller, permission));
    this.#links = new PresignedRequests(service.cloud, this.#watch, {
      pending: () => this.#pending,
      report: (removal) => this.#note(removal),
    });
    this.#each = new InvocationInterceptor(service, {
      shouldVisit: (operation) => [...this.#pending].some((grant) => grant.operation === operation),
      visit: (invocation) => this.#visit(invocation),
    });
  }

  /** Ends the drill. @returns each undetected removal, with the last step that uses the grant, if any. */
  finish(): GrantRemoval[] {
    this.#each.stop();
    this.#links.stop();
    this.#watch.stop();
    const lastRemovals = new Map([...this.#unnoticed].map(([grant, removals]) => [grant, removals.at(-1)]));
    const unused = [...this.#pending].filter((grant) => !lastRemovals.has(grant)).map((grant) => ({ grant, lost: [] }));
    return [...[...lastRemovals.values()].filter((one) => one !== undefined), ...unused];
  }

  async #visit(invocation: Invocation): Promise<void> {
    const first = await this.#rehearse(invocation);
    const mine = [...this.#pending].filter(({ caller }) => caller === invocation.name);
    for (const grant of mine.filter((one) => isRequested(first, one))) {
      const removed = await this.#rehearse(invocation, grant);
      const again = await this.#rehearse(invocation);
      const lost = removed.isDenied ? lostFacts(first.facts, again.facts, removed.facts) : [];
      this.#note({ grant, step: describeStep(invocation), lost, instead: removed.facts[0] ?? "" });
    }
  }

  #note(removal: GrantRemoval): void {
    const { grant, lost } = removal;
    const before = this.#unnoticed.get(grant) ?? [];
    if (lost.length > 0) {
      this.noticed.push(removal);
      this.#unnoticed.delete(grant);
    } else this.#unnoticed.set(grant, [...before, removal]);
    if (lost.length > 0 || before.length + 1 >= MAX_STEPS_PER_GRANT) this.#pending.delete(grant);
  }

  /** Runs a step and undoes it. @param removed a grant that the function lacks during this run. */
  async #rehearse(invocation: Invocation, removed?: PolicyGrant): Promise<GrantTrial> {
    const { policies } = this.#service.cloud;
    const { runner } = this.#each;
    const whole = policies.get(invocation.name) ?? [];
    const policy = removed ? withoutGrant(whole, removed) : whole;
    const asked: Permission[] = [];
    this.#onAsked = (caller, permission) => void (caller === invocation.name && asked.push(permission));
    policies.set(invocation.name, policy);
    this.#containers += 1;
    process.env[CONTAINER_VARIABLE] = `trial ${this.#containers}`;
    const unhurried = skipPauses();
    const run = await runner.run(invocation, "reference");
    if (removed) await waitUntilQuiet(asked);
    unhurried();
    policies.set(invocation.name, whole);
    await runner.undo();
    this.#onAsked = () => undefined;
    return { facts: describeRun(run), asked, isDenied: !asked.every((permission) => isPermitted(policy, permission)) };
  }
}

const isRequested = ({ asked }: GrantTrial, grant: PolicyGrant): boolean =>
  asked.some((permission) => coversPermission(grant, permission));

/** Waits until no function sends requests. A failed call can leave parallel calls in progress. */
async function waitUntilQuiet(asked: readonly Permission[]): Promise<void> {
  for (let seen = -1; seen < asked.length; ) {
    seen = asked.length;
    await sleep(QUIET_MS);
  }
}
