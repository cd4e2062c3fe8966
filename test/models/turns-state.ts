import type { ModelState, Ranges } from "./state-layout.ts";
import { leaseTicks, type TurnsSize } from "./turns-size.ts";

/** What a worker does next. */
export const steps = [
  ...["idle", "read", "acquire", "join", "check holder"],
  ...["read first", "acquire first", "store", "join stored", "check holder of stored", "store for later"],
  ...["check", "attempt", "await response", "record success", "record failure", "record unknown", "quarantine"],
  ...["next", "release", "find waiting"],
] as const;
export type Step = (typeof steps)[number];

/** States of a delivery. One that is open is due; its next attempt may also come later. */
export const [NEW, OPEN, DELIVERED, LATER] = [0, 1, 2, 3] as const;

/** Deliveries of one endpoint and ordering key, their lease, and all that works on them. Times are in ticks. */
export interface TurnsState extends ModelState {
  /** The lease: its fencing token, the time until it expires, and whether it is a quarantine. */
  readonly fence: number;
  readonly leaseLeft: number;
  readonly isQuarantine: number;
  /** The delivery whose first attempt holds the lease, from 1; 0 for any other lease. */
  readonly first: number;
  /** Bits of the deliveries that wait for the lease. */
  readonly waiting: number;
  /** Each delivery: its state, the token of its last attempt, and whether that attempt has an unknown outcome. */
  readonly delivery: readonly number[];
  readonly attemptFence: readonly number[];
  readonly isUnknown: readonly number[];
  /** Messages of each delivery in the queue of events and in that of attempts. */
  readonly events: readonly number[];
  readonly messages: readonly number[];
  /** Messages in the queue of attempts that nobody receives before the end of the quarantine. */
  readonly delayed: readonly number[];
  /** Each worker: its step, the delivery of its message, that of its attempt, its token, the waiting list that it knows, and the ticks since its last step. */
  readonly step: readonly number[];
  readonly message: readonly number[];
  readonly target: readonly number[];
  readonly own: readonly number[];
  readonly known: readonly number[];
  readonly age: readonly number[];
  /** Whether the worker makes first attempts. */
  readonly isFirst: readonly number[];
  /** How long the request with each token may still take effect. */
  readonly request: readonly number[];
  /** The highest token that took effect at the receiver, and whether a lower one did after it. */
  readonly received: number;
  readonly isOvertaken: number;
  /** Whether a record replaced that of a later attempt. */
  readonly isReplaced: number;
  readonly crashes: number;
}

const STEPS = steps.length;

/** The ranges of all variables. */
export function turnsRanges({
  workers,
  deliveries,
  leases,
  crashes,
  messages,
  durations,
}: TurnsSize): Ranges<TurnsState> {
  const tokens = leases + 1;
  const ofDelivery = (values: number) => ({ length: deliveries, values });
  const ofWorker = (values: number) => ({ length: workers, values });
  const lists = 2 ** deliveries;
  const { attempt, quarantine } = durations;
  return {
    ...{ fence: tokens, leaseLeft: leaseTicks(durations) + 1, isQuarantine: 2, first: deliveries + 1, waiting: lists },
    ...{ delivery: ofDelivery(4), attemptFence: ofDelivery(tokens), isUnknown: ofDelivery(2) },
    ...{ events: ofDelivery(messages + 1), messages: ofDelivery(messages + 1) },
    ...{ delayed: ofDelivery(messages + 1) },
    ...{
      step: ofWorker(STEPS),
      message: ofWorker(deliveries),
      target: ofWorker(deliveries),
      own: ofWorker(tokens),
      known: ofWorker(lists),
    },
    ...{ age: ofWorker(Math.max(attempt, quarantine) + 1), isFirst: ofWorker(2) },
    ...{ request: { length: tokens, values: attempt + quarantine + 1 } },
    ...{ received: tokens, isOvertaken: 2, isReplaced: 2, crashes: crashes + 1 },
  };
}

/** The state before any event: each delivery has one message of its event. */
export function firstTurnsState(size: TurnsSize): TurnsState {
  const { workers, deliveries, leases, crashes, areStored } = size;
  const none = (length: number): number[] => Array(length).fill(0);
  const first = {
    ...{ fence: 0, leaseLeft: 0, isQuarantine: 0, first: 0, waiting: 0 },
    ...{ delivery: none(deliveries), attemptFence: none(deliveries), isUnknown: none(deliveries) },
    ...{ events: size.copies ?? none(deliveries).fill(1), messages: none(deliveries), delayed: none(deliveries) },
    ...{ step: none(workers), message: none(workers), target: none(workers), own: none(workers), known: none(workers) },
    ...{ age: none(workers), isFirst: none(workers), request: none(leases + 1) },
    ...{ received: 0, isOvertaken: 0, isReplaced: 0, crashes },
  };
  if (!areStored) return first;
  const messages = none(deliveries).fill(size.messages);
  return {
    ...first,
    delivery: none(deliveries).fill(OPEN),
    events: none(deliveries),
    messages,
    waiting: 2 ** deliveries - 1,
  };
}

/** One worker of a state, with its variables by name. */
export interface WorkerView {
  readonly index: number;
  readonly step: Step;
  readonly message: number;
  readonly target: number;
  readonly own: number;
  readonly known: number;
  readonly age: number;
  readonly isFirst: boolean;
}

/** Returns the variables of one worker. */
export function viewWorker(state: TurnsState, index: number): WorkerView {
  const of = (list: readonly number[]): number => list[index] ?? 0;
  const { message, target, own, known, age } = state;
  const step = steps[of(state.step)] ?? "idle";
  return {
    index,
    step,
    message: of(message),
    target: of(target),
    own: of(own),
    known: of(known),
    age: of(age),
    isFirst: of(state.isFirst) === 1,
  };
}

/** What a worker changes about itself. */
export type WorkerChange = Partial<Record<"message" | "target" | "own" | "known" | "age" | "isFirst", number>> & {
  readonly step: Step;
};

/** The state after one worker goes on. */
export function changeWorker(state: TurnsState, index: number, change: WorkerChange): TurnsState {
  const { step, message, target, own, known, age = 0, isFirst } = change;
  const isOver = step === "idle";
  const changed = (list: readonly number[], value: number | undefined) =>
    isOver ? list.with(index, 0) : value === undefined ? list : list.with(index, value);
  return {
    ...state,
    step: state.step.with(index, steps.indexOf(step)),
    message: changed(state.message, message),
    target: changed(state.target, target),
    own: changed(state.own, own),
    known: changed(state.known, known),
    isFirst: changed(state.isFirst, isFirst),
    age: state.age.with(index, age),
  };
}

/** The queues of events and attempts, and the messages of the latter that come later. */
export type MessageQueue = "events" | "messages" | "delayed";

/** The state with one more message of a delivery, unless the queue is full of them. */
export function addMessage(state: TurnsState, queue: MessageQueue, delivery: number, size: TurnsSize): TurnsState {
  const count = Math.min((state[queue][delivery] ?? 0) + 1, size.messages);
  return { ...state, [queue]: state[queue].with(delivery, count) };
}

/** The state with a message that comes at the end of the lease. */
export const addAtLeaseEnd = (state: TurnsState, delivery: number, size: TurnsSize): TurnsState =>
  addMessage(state, state.leaseLeft > 0 ? "delayed" : "messages", delivery, size);

/** The state in which all delayed messages have come. */
export function releaseDelayed(state: TurnsState, size: TurnsSize): TurnsState {
  const messages = state.messages.map((count, delivery) =>
    Math.min(count + (state.delayed[delivery] ?? 0), size.messages),
  );
  return { ...state, messages, delayed: state.delayed.map(() => 0) };
}
