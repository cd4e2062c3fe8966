import { listed } from "./bits.ts";
import type { Steps } from "./turns-leases.ts";
import {
  ATTEMPT,
  addAtLeaseEnd,
  addMessage,
  changeWorker,
  DELIVERED,
  MARGIN,
  NEW,
  OPEN,
  QUARANTINE,
  type Step,
  type TurnsSize,
  type TurnsState,
  type WorkerView,
} from "./turns-state.ts";

/** The state after an attempt: a first attempt ends its lease by its record, any other goes on to the next delivery. */
const goOn = (state: TurnsState, { index, isFirst }: WorkerView): TurnsState[] => [
  changeWorker(state, index, { step: isFirst ? "find waiting" : "next" }),
];

/** The state after a request took effect at the receiver. */
export function takeEffect(state: TurnsState, fence: number): TurnsState {
  const isOvertaken = fence < state.received ? 1 : state.isOvertaken;
  const received = Math.max(state.received, fence);
  return { ...state, request: state.request.with(fence, 0), received, isOvertaken };
}

/** The state with the record of an attempt, if the delivery is open and knows no later one. */
function record(state: TurnsState, worker: WorkerView, isUnknown: boolean, end: number, { without }: TurnsSize) {
  const { target, own, isFirst } = worker;
  const found = state.delivery[target];
  const known = state.attemptFence[target] ?? 0;
  const isNewest = isFirst ? known === 0 : known < own;
  if (found === DELIVERED || (!isNewest && without !== "the token of a record")) return state;
  const recorded = {
    ...state,
    delivery: state.delivery.with(target, end),
    attemptFence: state.attemptFence.with(target, own),
    isUnknown: state.isUnknown.with(target, Number(isUnknown)),
    isReplaced: known > own ? 1 : state.isReplaced,
  };
  return end === DELIVERED ? recorded : addMessage(recorded, "messages", target);
}

/** The steps of an attempt under a lease. */
export function attemptSteps(size: TurnsSize): Steps {
  const { without } = size;
  const go = (state: TurnsState, { index, age }: WorkerView, step: Step) => [changeWorker(state, index, { step, age })];
  return {
    attempt(state, worker) {
      const { index, target, own, age, isFirst } = worker;
      // The worker before may have delivered it.
      if (state.delivery[target] !== (isFirst ? NEW : OPEN))
        return isFirst ? go(state, worker, "release") : goOn(state, worker);
      if (age > MARGIN && without !== "the time left for a request") {
        const stored = { ...state, delivery: state.delivery.with(target, OPEN) };
        return [changeWorker(addMessage(stored, "messages", target), index, { step: "release" })];
      }
      const request = state.request.with(own, ATTEMPT + QUARANTINE);
      return [changeWorker({ ...state, request }, index, { step: "await response" })];
    },
    "await response"(state, worker) {
      const { index, own } = worker;
      const isUnderWay = (state.request[own] ?? 0) > 0;
      const accepted = isUnderWay ? takeEffect(state, own) : state;
      const success = changeWorker(accepted, index, { step: "record success" });
      const failure = changeWorker({ ...state, request: state.request.with(own, 0) }, index, {
        step: "record failure",
      });
      // Without an effect, the receiver may answer with an error. After it, the answer may still be lost.
      const ended = { ...state, request: state.request.with(own, Math.min(QUARANTINE, state.request[own] ?? 0)) };
      const unknown = changeWorker(ended, index, { step: "record unknown" });
      return isUnderWay ? [success, failure, unknown] : [success, unknown];
    },
    "record success": (state, worker) => goOn(record(state, worker, false, DELIVERED, size), worker),
    "record failure": (state, worker) => goOn(record(state, worker, false, OPEN, size), worker),
    "record unknown": (state, worker) => go(record(state, worker, true, OPEN, size), worker, "quarantine"),
    quarantine(state, worker) {
      const over = changeWorker(state, worker.index, { step: "idle" });
      if (state.fence !== worker.own) return [over];
      if (without === "the quarantine") return [{ ...over, leaseLeft: 0 }];
      const held = { ...over, leaseLeft: Math.max(0, QUARANTINE - worker.age), isQuarantine: 1 };
      return [listed(state.waiting, size.deliveries).reduce(addAtLeaseEnd, held)];
    },
  };
}
