import type { Steps } from "./turns-leases.ts";
import type { TurnsSize } from "./turns-size.ts";
import {
  addAtLeaseEnd,
  addMessage,
  changeWorker,
  DELIVERED,
  LATER,
  OPEN,
  type Step,
  type TurnsState,
  type WorkerView,
} from "./turns-state.ts";

/**
 * The state after an attempt: a first attempt ends its lease by its record, any other goes on to the next delivery. The
 * lease of a first attempt without a record is released, and so is one that others wait for.
 */
function goOn(state: TurnsState, { index, isFirst, known }: WorkerView, isEnded = true): TurnsState[] {
  const step = !isFirst ? "next" : isEnded && known === 0 ? "find waiting" : "release";
  return [changeWorker(state, index, { step })];
}

/** The state after a request took effect at the receiver. */
export function takeEffect(state: TurnsState, fence: number): TurnsState {
  const isOvertaken = fence < state.received ? 1 : state.isOvertaken;
  const received = Math.max(state.received, fence);
  return { ...state, request: state.request.with(fence, 0), received, isOvertaken };
}

/** Whether the delivery is open and knows no later attempt. A first attempt is recorded where none was before. */
function isRecordable(state: TurnsState, { target, own, isFirst }: WorkerView, { without }: TurnsSize): boolean {
  const known = state.attemptFence[target] ?? 0;
  const isNewest = isFirst ? known === 0 : known < own;
  return state.delivery[target] !== DELIVERED && (isNewest || without === "the token of a record");
}

/** The state with the record of an attempt. After a failure, the next attempt is due later. */
function record(state: TurnsState, worker: WorkerView, isUnknown: boolean, end: number, size: TurnsSize): TurnsState {
  const { target, own } = worker;
  if (isRecordable(state, worker, size)) {
    // The message of an attempt that was to come later comes nevertheless.
    const before = state.delivery[target] === LATER ? addMessage(state, "messages", target, size) : state;
    return {
      ...before,
      delivery: state.delivery.with(target, end),
      attemptFence: state.attemptFence.with(target, own),
      isUnknown: state.isUnknown.with(target, Number(isUnknown)),
      isReplaced: (state.attemptFence[target] ?? 0) > own ? 1 : state.isReplaced,
    };
  }
  // The worker sends the message of the next attempt nevertheless.
  return end === DELIVERED ? state : addMessage(state, "messages", target, size);
}

/** The steps of an attempt under a lease. */
export function attemptSteps(size: TurnsSize): Steps {
  const { without } = size;
  const { attempt, quarantine, margin } = size.durations;
  const isEnded = (state: TurnsState, worker: WorkerView) =>
    isRecordable(state, worker, size) || without === "the release of a lease without a record";
  const go = (state: TurnsState, { index, age }: WorkerView, step: Step) => [changeWorker(state, index, { step, age })];
  return {
    // The worker before may have made the attempt.
    check: (state, worker) =>
      state.delivery[worker.target] === OPEN ? go(state, worker, "attempt") : goOn(state, worker),
    attempt(state, { index, message, target, own, age }) {
      if (age > margin && without !== "the time left for a request") {
        // The lease expires, the message comes again, and the sweeper finds the delivery.
        const isNew = state.delivery[target] === 0;
        const stored = isNew ? { ...state, delivery: state.delivery.with(target, OPEN) } : state;
        const found = [...new Set([message, target])].reduce((after, one) => addAtLeaseEnd(after, one, size), stored);
        return [changeWorker(found, index, { step: "idle" })];
      }
      const request = state.request.with(own, attempt + quarantine);
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
      const ended = { ...state, request: state.request.with(own, Math.min(quarantine, state.request[own] ?? 0)) };
      const unknown = changeWorker(ended, index, { step: "record unknown" });
      return isUnderWay ? [success, failure, unknown] : [success, unknown];
    },
    "record success": (state, worker) =>
      goOn(record(state, worker, false, DELIVERED, size), worker, isEnded(state, worker)),
    "record failure": (state, worker) =>
      goOn(record(state, worker, false, LATER, size), worker, isEnded(state, worker)),
    "record unknown": (state, worker) => go(record(state, worker, true, LATER, size), worker, "quarantine"),
    quarantine(state, worker) {
      const over = changeWorker(state, worker.index, { step: "idle" });
      if (state.fence !== worker.own) return [over];
      if (without === "the quarantine") return [{ ...over, leaseLeft: 0 }];
      const held = { ...over, leaseLeft: Math.max(0, quarantine - worker.age), isQuarantine: 1 };
      const waiting = state.delivery.flatMap((_, one) => ((state.waiting >> one) & 1 ? [one] : []));
      return [waiting.reduce((after, one) => addAtLeaseEnd(after, one, size), held)];
    },
  };
}
