import { setTimeout as sleep } from "node:timers/promises";
import { Faults } from "../../lib/local/front/faults.ts";
import type { LocalCloud } from "../../lib/local/local-cloud.ts";
import type { Item } from "./asked.ts";
import { type Invocation, outcomeOf } from "./invocation.ts";
import type { Run } from "./judge.ts";
import { StandingPorts } from "./standing-ports.ts";
import { Tape } from "./tape.ts";

/** What can happen to a call: it comes late, two faults, or the end of the container in which it is made. */
export const modes = ["delay", "fail_before", "fail_after", "die"] as const;
export type Mode = (typeof modes)[number];

/** What happens to the n-th call (from 1) of an invocation, in all attempts of its client. */
export interface SingleFault {
  readonly index: number;
  readonly mode: Mode;
}

interface StreamEvent {
  readonly Records?: readonly { readonly dynamodb?: { readonly Keys: Item } }[];
}

const DELAY_MS = 5;
/** Pauses between attempts of SDK clients are at most this long; the timeouts of functions are longer. */
const LONGEST_PAUSE_MS = 2_000;

/** Invokes functions of a local cloud at an instant that stands still, with faults, and undoes what they did. */
export class Rehearsal {
  readonly #cloud: LocalCloud;
  readonly #tape: Tape;
  readonly #ports = new StandingPorts();
  readonly #faults = new Faults();
  readonly #invoke: LocalCloud["host"]["invoke"];
  readonly #run: LocalCloud["faults"]["run"];
  readonly #pending = new Set<Promise<unknown>>();
  #isOn = false;

  constructor(cloud: LocalCloud) {
    const { host, faults } = cloud;
    this.#cloud = cloud;
    this.#tape = new Tape(cloud);
    this.#invoke = host.invoke.bind(host);
    this.#run = faults.run.bind(faults);
    faults.run = (target, call) => {
      if (!this.#isOn) return this.#run(target, call);
      this.#tape.note(target);
      const taped = () => this.#tape.pass(target, call);
      // Those that the story itself has in force, if any, strike a rehearsal too.
      return this.#underWay(this.#run(target, () => this.#faults.run(target, taped)));
    };
  }

  /** Whether somebody outside is asked in truth. */
  get isOutside(): boolean {
    return this.#tape.outside > 0;
  }

  /** Begins with an invocation of which nothing is known. */
  begin(): void {
    this.#tape.begin();
    this.#isOn = true;
  }

  /** Invokes a function, beside what earlier runs have left. @param seed of what is drawn. */
  async run(invocation: Invocation, seed: string, fault?: SingleFault): Promise<Run> {
    const { host } = this.#cloud;
    this.#tape.rewind();
    this.#ports.stand(invocation.at, seed);
    const { mode, index = 0 } = fault ?? {};
    if (mode === "die") host.mortality = () => index;
    else if (mode) this.#faults.add({ mode, at_call: index, every_attempt: true, delay_ms: DELAY_MS });
    const unhurried = fault ? hurry() : () => {};
    const answer = await this.#invoke(invocation.name, invocation.event).catch((error) => ({ error: String(error) }));
    this.#faults.clear();
    host.mortality = () => undefined;
    await this.#quiet();
    unhurried();
    const changes = await this.#tape.changes();
    const calls = [...this.#tape.calls.values()];
    const [messages, objects] = [[...this.#tape.messages], await this.#tape.objects()];
    return { outcome: outcomeOf(invocation, answer), answer, calls, changes, messages, objects };
  }

  /** Puts all back as it was before the first of the latest runs. */
  undo(): Promise<void> {
    return this.#tape.undo();
  }

  /** Invokes a function for good; others outside have answered already, if it was run before. */
  async perform(name: string, event: unknown): Promise<unknown> {
    const { faults } = this.#cloud;
    const { run } = faults;
    this.#isOn = false;
    this.#ports.go();
    faults.run = (target, call) =>
      target.service === "http" ? this.#tape.pass(target, call) : this.#run(target, call);
    this.#tape.rewind();
    try {
      return await this.#invoke(name, event);
    } finally {
      faults.run = run;
    }
  }

  /** An event without records of a stream that tell of what was undone; undefined where there are no others. */
  withoutPhantoms(event: unknown): unknown {
    const { Records } = event as StreamEvent;
    if (!Records?.[0]?.dynamodb) return event;
    const rest = Records.filter(({ dynamodb }) => !this.#tape.isPhantom(dynamodb?.Keys ?? {}));
    return rest.length > 0 ? { Records: rest } : undefined;
  }

  /** Invokes a function as if there were no rehearsal. */
  pass(name: string, event: unknown): Promise<unknown> {
    return this.#invoke(name, event);
  }

  end(): void {
    Object.assign(this.#cloud.faults, { run: this.#run });
    this.#ports.end();
    this.#tape.close();
  }

  #underWay<T>(work: Promise<T>): Promise<T> {
    this.#pending.add(work);
    return work.finally(() => this.#pending.delete(work));
  }

  /** Waits for what an invocation that is over has left under way. */
  async #quiet(): Promise<void> {
    for (let idle = 0; idle < 3; idle = this.#pending.size > 0 ? 0 : idle + 1) {
      await Promise.allSettled(this.#pending);
      await sleep(0);
    }
  }
}

/** Leaves pauses out that nobody has to wait for. @returns ends it. */
export function hurry(): () => void {
  const { setTimeout: after } = globalThis;
  const sooner = (task: () => void, ms = 0, ...given: []) => after(task, ms <= LONGEST_PAUSE_MS ? 0 : ms, ...given);
  Object.assign(globalThis, { setTimeout: sooner });
  return () => void Object.assign(globalThis, { setTimeout: after });
}
