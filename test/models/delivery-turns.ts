import type { Model, Rule } from "./explore-model.ts";
import { attemptSteps, takeEffect } from "./turns-attempts.ts";
import { leaseSteps } from "./turns-leases.ts";
import {
  ATTEMPT,
  addMessage,
  changeWorker,
  DELIVERED,
  firstTurnsState,
  releaseDelayed,
  steps,
  type TurnsSize,
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
  const size = { workers: 2, deliveries: 2, leases: 4, crashes: 1, ...options };
  const workers = Array.from({ length: size.workers }, (_, index) => index);
  return {
    ranges: turnsRanges(size),
    initial: firstTurnsState(size),
    rules: [...workers.flatMap((index) => workerRules(index, size)), requestRule, tickRule, sweepRule(size)],
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
const isIdle = ({ step, events, messages, delayed }: TurnsState): boolean =>
  [step, events, messages, delayed].every((list) => list.every((value) => value === 0));

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
  const crash: Rule<TurnsState> = { name: `${name} crashes`, next: (state) => crashWorker(state, index) };
  return [begin("events"), begin("messages"), work, crash];
}

function receive(state: TurnsState, index: number, queue: "events" | "messages"): TurnsState[] {
  return state[queue].flatMap((count, target) => {
    if (count === 0) return [];
    const taken = { ...state, [queue]: state[queue].with(target, count - 1) };
    const [step, isFirst] = queue === "events" ? (["read first", 1] as const) : (["read", 0] as const);
    return [changeWorker(taken, index, { step, target, isFirst })];
  });
}

/** The queue delivers the message of a crashed worker again. */
function crashWorker(state: TurnsState, index: number): TurnsState[] {
  const { step, target, isFirst } = viewWorker(state, index);
  if (step === "idle" || state.crashes === 0) return [];
  const queue = isFirst ? "events" : "messages";
  const over = changeWorker({ ...state, crashes: state.crashes - 1 }, index, { step: "idle" });
  return [addMessage(over, queue, target)];
}

const requestRule: Rule<TurnsState> = {
  name: "a request takes effect",
  next: (state) => state.request.flatMap((left, fence) => (left > 0 ? [takeEffect(state, fence)] : [])),
};

/** A worker gives up its request after the time of an attempt, so no tick passes before that. */
const tickRule: Rule<TurnsState> = {
  name: "time passes",
  next(state) {
    const isLate = (one: number | undefined, index: number) =>
      steps[one ?? 0] === "await response" && state.age[index] === ATTEMPT;
    if (state.step.some(isLate)) return [];
    const after = {
      ...state,
      leaseLeft: Math.max(0, state.leaseLeft - 1),
      request: state.request.map((left) => Math.max(0, left - 1)),
      age: state.age.map((age, index) => (state.step[index] === 0 ? 0 : Math.min(age + 1, ATTEMPT))),
    };
    return [after.leaseLeft === 0 ? releaseDelayed(after) : after];
  },
};

/** After a crash, the sweeper sends a message about each delivery that is due. */
const sweepRule = (size: TurnsSize): Rule<TurnsState> => ({
  name: "the sweeper finds a delivery",
  next: (state) =>
    state.crashes === size.crashes
      ? []
      : state.delivery.flatMap((one, delivery) =>
          one === 1 && state.messages[delivery] === 0 ? [addMessage(state, "messages", delivery)] : [],
        ),
});
