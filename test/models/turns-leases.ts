import { bit, listed } from "./bits.ts";
import {
  addAtLeaseEnd,
  addMessage,
  changeWorker,
  LEASE,
  NEW,
  OPEN,
  type Step,
  type TurnsSize,
  type TurnsState,
  type WorkerView,
} from "./turns-state.ts";

/** What a worker does at each step that concerns the lease. @returns the possible states after it. */
export type Steps = Partial<Record<Step, (state: TurnsState, worker: WorkerView) => readonly TurnsState[]>>;

const isHeld = ({ leaseLeft }: TurnsState): boolean => leaseLeft > 0;

/** Whether a first attempt holds the lease whose delivery shows that it is over, under the token of the lease. */
function isFirstOver({ first, isQuarantine, fence, attemptFence, isUnknown }: TurnsState): boolean {
  if (first === 0 || isQuarantine === 1) return false;
  return attemptFence[first - 1] === fence && isUnknown[first - 1] === 0;
}

/** The state after a worker acquired the lease or got it passed on. */
function take(state: TurnsState, { index }: WorkerView, target: number, isFirst: boolean): TurnsState[] {
  const fence = state.fence + 1;
  if (fence >= state.request.length) return [];
  const waiting = state.waiting & ~bit(target);
  const first = isFirst ? target + 1 : 0;
  const leased = { ...state, fence, leaseLeft: LEASE, isQuarantine: 0, waiting, first };
  return [
    changeWorker(leased, index, { step: "attempt", target, own: fence, known: waiting, isFirst: Number(isFirst) }),
  ];
}

const end = (state: TurnsState, { index }: WorkerView): TurnsState[] => [changeWorker(state, index, { step: "idle" })];
const go = (state: TurnsState, { index }: WorkerView, step: Step): TurnsState[] => [
  changeWorker(state, index, { step }),
];

/** The state after the lease ended: one of those that wait gets a message and continues with the others. */
function wakeOne(state: TurnsState, worker: WorkerView, { deliveries, without }: TurnsSize): TurnsState[] {
  const waiting = without === "the message at the end of a turn" ? [] : listed(state.waiting, deliveries);
  if (waiting.length === 0) return end(state, worker);
  return waiting.flatMap((delivery) => end(addMessage(state, "messages", delivery), worker));
}

/** The steps of a worker before it has the lease, and after its last attempt. */
export function leaseSteps(size: TurnsSize): Steps {
  const { without } = size;
  const isMine = (state: TurnsState, { own }: WorkerView) =>
    state.fence === own || without === "the token when a lease ends";
  const isFree = (state: TurnsState) => !isHeld(state) || without === "the lease";
  /** Joins those that wait. In a quarantine nobody passes the lease on, so a message comes at its end. */
  const join = (state: TurnsState, worker: WorkerView, step: Step) => {
    const joined = { ...state, waiting: state.waiting | bit(worker.target) };
    const woken = state.isQuarantine === 1 ? addAtLeaseEnd(joined, worker.target) : joined;
    return without === "the look at the holder after joining" ? end(woken, worker) : go(woken, worker, step);
  };
  return {
    read(state, worker) {
      const isOpen = state.delivery[worker.target] === OPEN;
      const hasOthers = (state.waiting & ~bit(worker.target)) !== 0;
      return isOpen || (hasOthers && !isHeld(state)) ? go(state, worker, "acquire") : end(state, worker);
    },
    acquire(state, worker) {
      if (isFree(state) || isFirstOver(state)) return take(state, worker, worker.target, false);
      return (state.waiting & bit(worker.target)) !== 0 ? end(state, worker) : go(state, worker, "join");
    },
    join(state, worker) {
      if (!isHeld(state)) return go(state, worker, "acquire");
      return join(state, worker, "check holder");
    },
    "check holder": (state, worker) => (isFirstOver(state) ? go(state, worker, "acquire") : end(state, worker)),
    "read first": (state, worker) =>
      state.delivery[worker.target] === NEW ? go(state, worker, "acquire first") : end(state, worker),
    "acquire first"(state, worker) {
      const isSecond = state.first === worker.target + 1;
      const isTaken = !isFree(state) && !isFirstOver(state);
      return isSecond || isTaken ? go(state, worker, "store") : take(state, worker, worker.target, true);
    },
    store(state, worker) {
      const isNew = state.delivery[worker.target] === NEW;
      return go(
        isNew ? { ...state, delivery: state.delivery.with(worker.target, OPEN) } : state,
        worker,
        "join stored",
      );
    },
    "join stored"(state, worker) {
      if (!isHeld(state)) return end(addMessage(state, "messages", worker.target), worker);
      return join(state, worker, "check holder of stored");
    },
    "check holder of stored": (state, worker) =>
      end(isFirstOver(state) ? addMessage(state, "messages", worker.target) : state, worker),
    next(state, worker) {
      const candidates = listed(worker.known, size.deliveries);
      const passed = candidates.flatMap((candidate) => {
        const known = worker.known & ~bit(candidate);
        // A delivery that is not open leaves the waiting list with the next update of the lease.
        if (state.delivery[candidate] !== OPEN) return [changeWorker(state, worker.index, { step: "next", known })];
        if (state.fence !== worker.own && without !== "the token when a lease passes on") return end(state, worker);
        return take(state, worker, candidate, false);
      });
      return [...passed, ...go(state, worker, "release")];
    },
    release(state, worker) {
      if (!isMine(state, worker)) return end(state, worker);
      return wakeOne({ ...state, leaseLeft: 0 }, worker, size);
    },
    "find waiting": (state, worker) =>
      state.fence === worker.own && state.waiting !== 0 ? go(state, worker, "release") : end(state, worker),
  };
}
