import { type Step, steps, type TurnsState } from "../turns-state.ts";

/** An invocation, and the worker of the model that it is. */
export interface Work {
  readonly slot: number;
  /** The delivery of its message. */
  readonly delivery: number;
  /** Whether it delivers an event. */
  readonly isEvent: boolean;
  /** The step that it waits for. */
  waits: string;
  /** Whether it knows deliveries that are not due, and takes them off the waiting list with its next write. */
  hasRead: boolean;
  isOver: boolean;
  /** Whether its message comes again. */
  isFailed: boolean;
}

/** What else is known about a step of a worker. */
interface About {
  /** Whether the lease was held, and the delivery due, before the step. */
  readonly wasHeld: boolean;
  readonly wasOpen: boolean;
  readonly isPaused: boolean;
  /** Whether the step acquired a lease. */
  readonly isLent: boolean;
  /** Deliveries that the step scheduled for later. */
  readonly scheduled: readonly number[];
  /** Whether a lost answer of the receiver took effect. */
  readonly hasTakenEffect: boolean;
}

/** Steps that change nothing. */
const reads = ["read first", "read", "check", "check holder", "check holder of stored", "next", "find waiting"];

/** Returns the steps of the model for a step of a worker: for each the names of the rules that may be it. */
export function explainStep(work: Work, step: string, fault: string | undefined, about: About): string[][] {
  const name = `worker ${work.slot + 1}`;
  const crash = work.isFailed ? [[`${name} crashes`, "a message comes again"]] : [];
  if (step === "response" && fault !== undefined) {
    const effect = about.hasTakenEffect ? [["a request takes effect"]] : [];
    return [...effect, ...(work.isFailed ? crash : [[name]])];
  }
  // Without the answer of the store, a worker does not look at the holder of the lease.
  const isRefused = step.startsWith("acquire") && !about.isLent;
  if (
    fault === "request lost" ||
    (work.isFailed && (isRefused || reads.includes(step))) ||
    (work.isFailed && fault === undefined)
  )
    return crash;
  return [...explainWork(work, step, about), ...crash];
}

function explainWork({ slot, waits, isOver, isFailed, isEvent }: Work, step: string, about: About): string[][] {
  const name = `worker ${slot + 1}`;
  const { wasHeld, wasOpen, isPaused, scheduled } = about;
  const isEnd = isOver && !isFailed;
  if (step === "begins") return [[`${name} receives a message of ${isEvent ? "events" : "messages"}`]];
  // A state that was read more than a second ago is read again.
  if (step === "read first" && waits === "read first") return [];
  if (step === "read first" && waits === "store") return [[`${name} defers`]];
  if (step === "read" && isEnd && isPaused) return [[`${name} defers`]];
  // A worker that sees the lease held looks at its holder in the same step.
  if (step === "read") return wasOpen && wasHeld && !isFailed ? [[name], [name]] : [[name]];
  if (step === "next") return scheduled.map(() => [`${name} defers`]);
  // Without a first attempt in the lease, a worker that waits looks at no holder.
  const isJoined = (step === "join" || step === "join stored") && wasHeld;
  return isJoined && isEnd ? [[name], [name]] : [[name]];
}

const named: Readonly<Record<string, readonly Step[]>> = {
  response: ["await response"],
  record: ["record success", "record failure", "record unknown"],
  "pass on": ["next"],
  release: ["next", "release"],
  store: ["store", "store for later"],
};

/**
 * Whether no time passes now: between the clock that a worker has read for a write, and the write. Without faults, no
 * request begins too late.
 */
export function isBound({ waits, hasRead }: Work, isFaulty: boolean): boolean {
  if (waits === "release") return hasRead;
  const steps = ["acquire", "acquire first", "join", "join stored", "pass on"];
  return steps.includes(waits) || (!isFaulty && ["check", "attempt"].includes(waits));
}

/** Returns whether the worker of the model has the message of a work, and is at the step that it waits for. */
export function isAt({ slot, waits, isOver, delivery }: Work): (state: TurnsState) => boolean {
  const expected: readonly string[] = isOver ? ["idle"] : (named[waits] ?? [waits]);
  return ({ step, message }) =>
    expected.includes(steps[step[slot] ?? 0] ?? "") && (isOver || message[slot] === delivery);
}
