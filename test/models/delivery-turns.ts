import { listed } from "./bits.ts";
import type { Model, Rule } from "./explore-model.ts";
import { attemptSteps, takeEffect } from "./turns-attempts.ts";
import { leaseSteps } from "./turns-leases.ts";
import { type TurnsSize, usualSize } from "./turns-size.ts";
import {
  addMessage,
  changeWorker,
  DELIVERED,
  firstTurnsState,
  LATER,
  NEW,
  OPEN,
  releaseDelayed,
  steps,
  type TurnsState,
  turnsRanges,
  viewWorker,
} from "./turns-state.ts";

/**
 * Deliveries of one endpoint and ordering key, with the workers of both queues (docs/decisions/0005, 0015, 0021): leases
 * with fencing tokens, turns that pass a lease on, the waiting list, quarantines, and first attempts whose record ends
 * their lease. Workers crash at any step, messages arrive again, and a request takes effect late.
 */
export function deliveryTurns(options: Partial<TurnsSize> = {}): Model<TurnsState> {
  const size = { ...usualSize, ...options };
  const workers = Array.from({ length: size.workers }, (_, index) => index);
  return {
    ranges: turnsRanges(size),
    initial: firstTurnsState(size),
    rules: [...workers.flatMap((index) => workerRules(index, size)), ...surroundingRules(size)],
    invariants: {
      "one request at a time can take effect": ({ request }) => request.filter((left) => left > 0).length <= 1,
      "no request takes effect after a later one": ({ isOvertaken }) => isOvertaken === 0,
      "no record replaces that of a later attempt": ({ isReplaced }) => isReplaced === 0,
      "without a crash, no open delivery is forgotten": (state) =>
        state.crashes < size.crashes || !isIdle(state) || state.delivery.every((one) => one === DELIVERED),
    },
  };
}

/** Whether nothing happens any more but the passing of time. */
const isIdle = ({ step, events, messages, delayed, delivery }: TurnsState): boolean =>
  [step, events, messages, delayed].every((list) => list.every((value) => value === 0)) && !delivery.includes(LATER);

function workerRules(index: number, size: TurnsSize): Rule<TurnsState>[] {
  const name = `worker ${index + 1}`;
  const all = { ...leaseSteps(size), ...attemptSteps(size) };
  const begin = (queue: "events" | "messages"): Rule<TurnsState> => ({
    name: `${name} receives a message of ${queue}`,
    next: (state) => (viewWorker(state, index).step === "idle" ? receive(state, index, queue) : []),
  });
  const work: Rule<TurnsState> = {
    name,
    next: (state) => {
      const worker = viewWorker(state, index);
      return all[worker.step]?.(state, worker) ?? [];
    },
  };
  const crash: Rule<TurnsState> = { name: `${name} crashes`, next: (state) => crashWorker(state, index, size) };
  const defer: Rule<TurnsState> = { name: `${name} defers`, next: (state) => deferAttempt(state, index, size) };
  return [begin("events"), begin("messages"), work, crash, defer];
}

function receive(state: TurnsState, index: number, queue: "events" | "messages"): TurnsState[] {
  return state[queue].flatMap((count, target) => {
    if (count === 0) return [];
    const taken = { ...state, [queue]: state[queue].with(target, count - 1) };
    const [step, isFirst] = queue === "events" ? (["read first", 1] as const) : (["read", 0] as const);
    return [changeWorker(taken, index, { step, message: target, target, isFirst })];
  });
}

/** The queue delivers the message of a crashed worker again. */
function crashWorker(state: TurnsState, index: number, size: TurnsSize): TurnsState[] {
  const { step, message, isFirst } = viewWorker(state, index);
  if (step === "idle" || state.crashes === 0) return [];
  const queue = isFirst ? "events" : "messages";
  const over = changeWorker({ ...state, crashes: state.crashes - 1 }, index, { step: "idle" });
  return [addMessage(over, queue, message, size)];
}

/**
 * A delivery waits without an attempt: the receiver asked for a pause, the message of its event came again after a crash,
 * or the turn of a first attempt is over, which lasts as long as the time before a request.
 */
function deferAttempt(state: TurnsState, index: number, { hasPauses, crashes, durations }: TurnsSize): TurnsState[] {
  const { step, target, known, age } = viewWorker(state, index);
  if (step === "read first" && state.delivery[target] === NEW) {
    const later = hasPauses || state.crashes < crashes ? [changeWorker(state, index, { step: "store for later" })] : [];
    return age < durations.margin ? later : [...later, changeWorker(state, index, { step: "store" })];
  }
  if (!hasPauses) return [];
  const postpone = (one: number) =>
    state.delivery[one] === OPEN ? { ...state, delivery: state.delivery.with(one, LATER) } : state;
  if (step === "read") return [changeWorker(postpone(target), index, { step: "idle" })];
  return step === "next" ? listed(known, state.delivery.length).map(postpone) : [];
}

/** The receiver, the time, the sweeper, and the queue whose messages come again. */
function surroundingRules(size: TurnsSize): Rule<TurnsState>[] {
  const ofEach = (next: (state: TurnsState, delivery: number) => TurnsState[]) => (state: TurnsState) =>
    state.delivery.flatMap((_, delivery) => next(state, delivery));
  return [
    {
      name: "a request takes effect",
      next: (state) => state.request.flatMap((left, fence) => (left > 0 ? [takeEffect(state, fence)] : [])),
    },
    { name: "time passes", next: (state) => passTime(state, size) },
    {
      name: "a delivery is due again",
      next: ofEach((state, delivery) => {
        if (state.delivery[delivery] !== LATER) return [];
        return [addMessage({ ...state, delivery: state.delivery.with(delivery, OPEN) }, "messages", delivery, size)];
      }),
    },
    {
      name: "a message comes again",
      next: ofEach((state, delivery) => {
        if (state.crashes === 0) return [];
        const after = { ...state, crashes: state.crashes - 1 };
        return [addMessage(after, "events", delivery, size), addMessage(after, "messages", delivery, size)];
      }),
    },
    {
      // After a crash, the sweeper sends a message about each delivery that is due.
      name: "the sweeper finds a delivery",
      next: ofEach((state, delivery) => {
        const isFound = state.crashes < size.crashes && state.delivery[delivery] === OPEN;
        return isFound && (state.messages[delivery] ?? 0) < size.messages
          ? [addMessage(state, "messages", delivery, size)]
          : [];
      }),
    },
  ];
}

/** A worker gives up its request after the time of an attempt, so no tick passes before that. */
function passTime(state: TurnsState, size: TurnsSize): TurnsState[] {
  const { attempt, quarantine } = size.durations;
  const isLate = (one: number | undefined, index: number) =>
    steps[one ?? 0] === "await response" && state.age[index] === attempt;
  if (state.step.some(isLate)) return [];
  const oldest = Math.max(attempt, quarantine);
  const after = {
    ...state,
    leaseLeft: Math.max(0, state.leaseLeft - 1),
    request: state.request.map((left) => Math.max(0, left - 1)),
    age: state.age.map((age, index) => (state.step[index] === 0 ? 0 : Math.min(age + 1, oldest))),
  };
  return [after.leaseLeft === 0 ? releaseDelayed(after, size) : after];
}
