import { bit, listed, subsets } from "./bits.ts";
import type { TurnsSize } from "./turns-size.ts";
import { leaseTicks } from "./turns-size.ts";
import {
  addAtLeaseEnd,
  addMessage,
  changeWorker,
  NEW,
  OPEN,
  type Step,
  type TurnsState,
  type WorkerView,
} from "./turns-state.ts";

/** What a worker does at each step that concerns the lease. @returns the possible states after it. */
export type Steps = Partial<Record<Step, (state: TurnsState, worker: WorkerView) => readonly TurnsState[]>>;

const isHeld = ({ leaseLeft }: TurnsState): boolean => leaseLeft > 0;

/** Whether the delivery of a first attempt shows that it is over, under the token of its lease. */
const isOver = ({ attemptFence, isUnknown }: TurnsState, first: number, fence: number): boolean =>
  first > 0 && attemptFence[first - 1] === fence && isUnknown[first - 1] === 0;

/** Whether a first attempt that is over holds the lease. */
const isFirstOver = (state: TurnsState): boolean => state.isQuarantine === 0 && isOver(state, state.first, state.fence);

const end = (state: TurnsState, { index }: WorkerView): TurnsState[] => [changeWorker(state, index, { step: "idle" })];
const go = (state: TurnsState, { index }: WorkerView, step: Step): TurnsState[] => [
  changeWorker(state, index, { step }),
];

/** The states after the deliveries left the waiting list that a worker knows not to be open, or some of them. */
function leaveWaiting(state: TurnsState, { known }: WorkerView): TurnsState[] {
  const isClosed = (one: number) => state.delivery[one] !== OPEN;
  const leaving = listed(known & state.waiting, state.delivery.length).filter(isClosed);
  return subsets(leaving).map((gone) => ({ ...state, waiting: state.waiting & ~gone }));
}

/** The state after the lease ended: one of those that wait gets a message and continues with the others. */
function dispatchOne(state: TurnsState, worker: WorkerView, size: TurnsSize): TurnsState[] {
  const waiting = size.without === "the message at the end of a turn" ? [] : listed(state.waiting, size.deliveries);
  if (waiting.length === 0) return end(state, worker);
  return waiting.flatMap((delivery) => end(addMessage(state, "messages", delivery, size), worker));
}

/** The steps of a worker before it has the lease, and after its last attempt. */
export function leaseSteps(size: TurnsSize): Steps {
  const { without } = size;
  const isMine = (state: TurnsState, { own }: WorkerView) =>
    state.fence === own || without === "the token when a lease ends";
  const isFree = (state: TurnsState) => !isHeld(state) || without === "the lease";
  /** The state after a worker acquired the lease or got it passed on. */
  const take = (state: TurnsState, { index }: WorkerView, target: number, step: "check" | "attempt", isFirst = 0) => {
    const fence = state.fence + 1;
    if (fence >= state.request.length) return [];
    const waiting = state.waiting & ~bit(target);
    const leaseLeft = leaseTicks(size.durations);
    const leased = { ...state, fence, leaseLeft, isQuarantine: 0, waiting, first: isFirst ? target + 1 : 0 };
    return [changeWorker(leased, index, { step, target, own: fence, known: waiting, isFirst })];
  };
  /** Joins those that wait. In a quarantine nobody passes the lease on, so a message comes at its end. */
  const join = (state: TurnsState, worker: WorkerView, step: Step) => {
    const joined = { ...state, waiting: state.waiting | bit(worker.target) };
    const scheduled = state.isQuarantine === 1 ? addAtLeaseEnd(joined, worker.target, size) : joined;
    if (without === "the look at the holder after joining") return end(scheduled, worker);
    // The update that joins returns the lease. The worker then looks at its holder, who may have passed it on by then.
    const known = state.isQuarantine === 1 ? 0 : state.first;
    return [changeWorker(scheduled, worker.index, { step, own: state.fence, known })];
  };
  const release = (state: TurnsState, worker: WorkerView) => {
    if (!isMine(state, worker)) return end(state, worker);
    return leaveWaiting(state, worker).flatMap((left) => dispatchOne({ ...left, leaseLeft: 0 }, worker, size));
  };
  /** Passes the lease on to a delivery that waits. */
  const passOn = (state: TurnsState, worker: WorkerView, next: number): TurnsState[] => {
    if (state.fence !== worker.own && without !== "the token when a lease passes on") return end(state, worker);
    return leaveWaiting(state, worker).flatMap((left) => take(left, worker, next, "attempt"));
  };
  const store = (state: TurnsState, { target }: WorkerView): TurnsState =>
    state.delivery[target] === NEW ? { ...state, delivery: state.delivery.with(target, OPEN) } : state;
  const isHolderOver = (state: TurnsState, { known, own }: WorkerView) => isOver(state, known, own);
  return {
    read(state, worker) {
      const isOpen = state.delivery[worker.target] === OPEN;
      const hasOthers = (state.waiting & ~bit(worker.target)) !== 0;
      return isOpen || (hasOthers && !isHeld(state)) ? go(state, worker, "acquire") : end(state, worker);
    },
    acquire(state, worker) {
      if (isFree(state) || isFirstOver(state)) return take(state, worker, worker.target, "check");
      return (state.waiting & bit(worker.target)) !== 0 ? end(state, worker) : go(state, worker, "join");
    },
    join: (state, worker) => (isHeld(state) ? join(state, worker, "check holder") : go(state, worker, "acquire")),
    "check holder": (state, worker) =>
      isHolderOver(state, worker) ? go(state, worker, "acquire") : end(state, worker),
    "read first": (state, worker) =>
      state.delivery[worker.target] === NEW ? go(state, worker, "acquire first") : end(state, worker),
    "acquire first"(state, worker) {
      const isSecond = state.first === worker.target + 1;
      const isTaken = !isFree(state) && !isFirstOver(state);
      return isSecond || isTaken ? go(state, worker, "store") : take(state, worker, worker.target, "attempt", 1);
    },
    store: (state, worker) => go(store(state, worker), worker, "join stored"),
    "store for later": (state, worker) =>
      end(addMessage(store(state, worker), "messages", worker.target, size), worker),
    "join stored"(state, worker) {
      if (!isHeld(state)) return end(addMessage(state, "messages", worker.target, size), worker);
      return join(state, worker, "check holder of stored");
    },
    "check holder of stored": (state, worker) =>
      end(isHolderOver(state, worker) ? addMessage(state, "messages", worker.target, size) : state, worker),
    next(state, worker) {
      const candidates = listed(worker.known, size.deliveries).filter((one) => state.delivery[one] === OPEN);
      return [...candidates.flatMap((one) => passOn(state, worker, one)), ...release(state, worker)];
    },
    release,
    "find waiting": (state, worker) =>
      state.fence === worker.own && state.waiting !== 0 ? go(state, worker, "release") : end(state, worker),
  };
}
