import { setTimeout as sleep } from "node:timers/promises";
import { Faults } from "../../lib/local/front/faults.ts";
import type { LocalCloud } from "../../lib/local/local-cloud.ts";
import type { Item } from "./asked.ts";
import { type Invocation, outcomeOf } from "./invocation.ts";
import type { Run } from "./judge.ts";
import { StandingPorts } from "./standing-ports.ts";
import { Tape } from "./tape.ts";

/** The faults of a call: a delay, a failure before or after its effect, or the end of its container. */
export const modes = ["delay", "fail_before", "fail_after", "die"] as const;
export type Mode = (typeof modes)[number];

/** The fault of the n-th call (from 1) of an invocation, in all attempts of its client. */
export interface SingleFault {
  readonly index: number;
  readonly mode: Mode;
}

interface StreamEvent {
  readonly Records?: readonly { readonly dynamodb?: { readonly Keys: Item } }[];
}

const DELAY_MS = 5;
/** Maximum pause between attempts of SDK clients. The timeouts of functions are longer. */
const LONGEST_PAUSE_MS = 2_000;

/** Invokes functions of a local cloud at a frozen instant, with faults, and undoes their effects. */
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
      // Faults that the story itself injects also apply to trial runs.
      return this.#underWay(this.#run(target, () => this.#faults.run(target, taped)));
    };
  }

  /** Whether a real outbound request is in progress. */
  get isOutside(): boolean {
    return this.#tape.outside > 0;
  }

  /** Starts a new invocation and clears what earlier ones recorded. */
  begin(): void {
    this.#tape.begin();
    this.#isOn = true;
  }

  /** Invokes a function on the state that earlier runs left. @param seed of the random values. */
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

  /** Restores the state before the first of the latest runs. */
  undo(): Promise<void> {
    return this.#tape.undo();
  }

  /** Invokes a function for real. It receives the recorded outbound responses if it ran before. */
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

  /** Removes stream records about undone changes from an event. @returns undefined if no records remain. */
  withoutPhantoms(event: unknown): unknown {
    const { Records } = event as StreamEvent;
    if (!Records?.[0]?.dynamodb) return event;
    const rest = Records.filter(({ dynamodb }) => !this.#tape.isPhantom(dynamodb?.Keys ?? {}));
    return rest.length > 0 ? { Records: rest } : undefined;
  }

  /** Invokes a function without recording. */
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

  /** Waits for calls that a finished invocation left in progress. */
  async #quiet(): Promise<void> {
    for (let idle = 0; idle < 3; idle = this.#pending.size > 0 ? 0 : idle + 1) {
      await Promise.allSettled(this.#pending);
      await sleep(0);
    }
  }
}

/** Skips pauses that need no waiting. @returns a function that restores them. */
export function hurry(): () => void {
  const { setTimeout: after } = globalThis;
  const sooner = (task: () => void, ms = 0, ...given: []) => after(task, ms <= LONGEST_PAUSE_MS ? 0 : ms, ...given);
  Object.assign(globalThis, { setTimeout: sooner });
  return () => void Object.assign(globalThis, { setTimeout: after });
}
