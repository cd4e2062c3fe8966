import { setTimeout as sleep } from "node:timers/promises";
import { FaultInjector } from "../../lib/local/aws-proxy/fault-injector.ts";
import type { LocalCloud } from "../../lib/local/local-cloud.ts";
import { ControlledPorts } from "./controlled-ports.ts";
import { EffectRecorder } from "./effect-recorder.ts";
import { type Invocation, outcomeOf } from "./invocation.ts";
import type { InvocationRun } from "./judge-trial.ts";
import type { DynamodbItem } from "./service-call.ts";

/** The faults of a call: a delay, a failure before or after its effect, or the end of its container. */
export const faultModes = ["delay", "fail_before", "fail_after", "die"] as const;
export type FaultMode = (typeof faultModes)[number];

/** The fault of the n-th call (from 1) of an invocation, in all attempts of its client. */
export interface SingleFault {
  readonly index: number;
  readonly mode: FaultMode;
}

interface StreamEvent {
  readonly Records?: readonly { readonly dynamodb?: { readonly Keys: DynamodbItem } }[];
}

const DELAY_MS = 5;
/** Each call takes this long by the clock of the functions, so that a repeated run writes other instants. */
const CALL_MS = 250;
/** Maximum pause between attempts of SDK clients. The timeouts of functions are longer. */
const MAX_PAUSE_MS = 2_000;

/** Invokes functions of a local cloud at a given instant, with faults, and undoes their effects. */
export class TrialRunner {
  readonly #cloud: LocalCloud;
  readonly #tape: EffectRecorder;
  readonly #ports = new ControlledPorts();
  readonly #faults = new FaultInjector();
  readonly #invoke: LocalCloud["host"]["invoke"];
  readonly #run: LocalCloud["faults"]["run"];
  readonly #pending = new Set<Promise<unknown>>();
  #isOn = false;

  constructor(cloud: LocalCloud) {
    const { host, faults } = cloud;
    this.#cloud = cloud;
    this.#tape = new EffectRecorder(cloud);
    this.#invoke = host.invoke.bind(host);
    this.#run = faults.run.bind(faults);
    faults.run = (target, call) => {
      if (!this.#isOn) return this.#run(target, call);
      if (this.#tape.recordCall(target)) this.#ports.advance(CALL_MS);
      const taped = () => this.#tape.execute(target, call);
      // Faults that the story itself injects also apply to trial runs.
      return this.#underWay(this.#run(target, () => this.#faults.run(target, taped)));
    };
  }

  /** Whether a real outbound request is in progress. */
  get isOutside(): boolean {
    return this.#tape.openOutboundRequests > 0;
  }

  /** Starts a new invocation and clears what earlier ones recorded. */
  reset(): void {
    this.#tape.reset();
    this.#isOn = true;
  }

  /** Invokes a function on the state that earlier runs left. @param seed of the random values. */
  async run(invocation: Invocation, seed: string, fault?: SingleFault): Promise<InvocationRun> {
    const { host } = this.#cloud;
    this.#tape.rewind();
    this.#ports.freeze(invocation.at, seed);
    const { mode, index = 0 } = fault ?? {};
    if (mode === "die") host.crashPlan = () => index;
    else if (mode) this.#faults.add({ mode, at_call: index, every_attempt: true, delay_ms: DELAY_MS });
    const unhurried = fault ? skipPauses() : () => {};
    const answer = await this.#invoke(invocation.name, invocation.event).catch((error) => ({ error: String(error) }));
    this.#faults.clear();
    host.crashPlan = () => undefined;
    await this.#quiet();
    unhurried();
    const changes = await this.#tape.changes();
    const calls = [...this.#tape.calls.values()];
    const [messages, objects] = [[...this.#tape.messages], await this.#tape.objects()];
    const outcome = outcomeOf(invocation, answer);
    const faultedCall = fault && (calls[index - 1] ?? "");
    return { outcome, answer, endedAt: this.#ports.now(), calls, faultedCall, changes, messages, objects };
  }

  /** Restores the state before the first of the latest runs. */
  undo(): Promise<void> {
    return this.#tape.undo();
  }

  /** Invokes a function for real. It receives the recorded outbound responses if it ran before. */
  async invokeForReal(name: string, event: unknown): Promise<unknown> {
    const { faults } = this.#cloud;
    const { run } = faults;
    this.#isOn = false;
    this.#ports.resume();
    faults.run = (target, call) =>
      target.service === "http" ? this.#tape.execute(target, call) : this.#run(target, call);
    this.#tape.rewind();
    try {
      return await this.#invoke(name, event);
    } finally {
      faults.run = run;
    }
  }

  /** Removes stream records about undone changes from an event. @returns undefined if no records remain. */
  dropPhantomRecords(event: unknown): unknown {
    const { Records } = event as StreamEvent;
    if (!Records?.[0]?.dynamodb) return event;
    const rest = Records.filter(({ dynamodb }) => !this.#tape.isPhantom(dynamodb?.Keys ?? {}));
    return rest.length > 0 ? { Records: rest } : undefined;
  }

  /** Invokes a function without recording. */
  invokeUntouched(name: string, event: unknown): Promise<unknown> {
    return this.#invoke(name, event);
  }

  stop(): void {
    Object.assign(this.#cloud.faults, { run: this.#run });
    this.#ports.restore();
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
export function skipPauses(): () => void {
  const { setTimeout: after } = globalThis;
  const sooner = (task: () => void, ms = 0, ...given: []) => after(task, ms <= MAX_PAUSE_MS ? 0 : ms, ...given);
  Object.assign(globalThis, { setTimeout: sooner });
  return () => void Object.assign(globalThis, { setTimeout: after });
}
