import type { Permission } from "../../lib/local/front/permission.ts";
import { EachInvocation } from "../faults/each-invocation.ts";
import type { Invocation } from "../faults/invocation.ts";
import { hurry } from "../faults/rehearsal.ts";
import type { StoryWorld } from "../local/service/story-world.ts";
import { AskedPermissions } from "./asked-permissions.ts";
import { factsOf, lostFacts } from "./facts.ts";
import { covers, type Grant, without } from "./grant.ts";
import { SignedLinks } from "./signed-links.ts";
import { stepOf } from "./step.ts";

/** What became of a step of the story when a grant was taken from its function. */
export interface Removal {
  readonly grant: Grant;
  /** The step; absent where none uses the grant. */
  readonly step?: string;
  /** What is there with the grant, twice, and not without it. Nothing where nobody noticed. */
  readonly lost: readonly string[];
  /** What the step answered without the grant. */
  readonly instead?: string;
}

interface Trial {
  readonly facts: readonly string[];
  readonly asked: readonly Permission[];
}

/** How much later a step is taken again so that containers ask again for what they remember: keys a minute, apps five. */
const LATER_MS = [0, 61_000, 305_000];
const FORGOTTEN_MS = 61_000;
/** Steps that use a grant and do not notice that it is gone, before nobody is said to notice. */
const MOST_STEPS = 5;

/**
 * Takes grants from the functions of a running service, one at a time, and sees who notices. Each step of a story that uses
 * one is rehearsed with it, without it, and with it again, before it is taken for good.
 */
export class GrantDrill {
  readonly noticed: Removal[] = [];
  readonly #world: StoryWorld;
  readonly #pending: Set<Grant>;
  readonly #unnoticed = new Map<Grant, Removal[]>();
  readonly #each: EachInvocation;
  readonly #watch: AskedPermissions;
  readonly #links: SignedLinks;
  #onAsked: (caller: string, permission: Permission) => void = () => undefined;

  constructor(world: StoryWorld, grants: readonly Grant[]) {
    const { service } = world;
    this.#world = world;
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

  /** Ends the drill. @returns each removal that nobody noticed, at the last step that uses the grant, if there is any. */
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
    const used = mine.filter((grant) => isAsked(first, grant));
    let at = invocation.at;
    for (const grant of used) at = await this.#try({ ...invocation, at }, grant, first);
    for (; at > invocation.at; at -= FORGOTTEN_MS) await this.#world.forget();
  }

  /** @returns the instant (epoch ms) of the last rehearsal, until which containers may remember what they were told. */
  async #try(invocation: Invocation, grant: Grant, first: Trial): Promise<number> {
    for (const laterMs of LATER_MS) {
      const later = { ...invocation, at: invocation.at + laterMs };
      const removed = await this.#rehearse(later, grant);
      if (!isAsked(removed, grant)) continue;
      // What was done in vain is not always tried again at once.
      const last = laterMs === 0 ? later : { ...later, at: later.at + FORGOTTEN_MS };
      const again = await this.#rehearse(last);
      const lost = lostFacts(first.facts, again.facts, removed.facts);
      this.#note({ grant, step: stepOf(invocation), lost, instead: removed.facts[0] ?? "" });
      return last.at;
    }
    this.#note({ grant, step: `${stepOf(invocation)} (asked once only)`, lost: [] });
    return invocation.at;
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

  /** Takes a step as if for good, and undoes it. @param removed a grant that its function does not have meanwhile. */
  async #rehearse(invocation: Invocation, removed?: Grant): Promise<Trial> {
    const { policies } = this.#world.service.cloud;
    const { rehearsal } = this.#each;
    const policy = policies.get(invocation.name) ?? [];
    const asked: Permission[] = [];
    this.#onAsked = (caller, permission) => void (caller === invocation.name && asked.push(permission));
    if (removed) policies.set(invocation.name, without(policy, removed));
    const unhurried = hurry();
    const run = await rehearsal.run(invocation, "reference");
    unhurried();
    policies.set(invocation.name, policy);
    await rehearsal.undo();
    this.#onAsked = () => undefined;
    return { facts: factsOf(run), asked };
  }
}

const isAsked = ({ asked }: Trial, grant: Grant): boolean => asked.some((permission) => covers(grant, permission));
