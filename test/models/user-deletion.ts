import type { Model, Rule } from "./explore-model.ts";
import type { ModelState } from "./state-layout.ts";

/** States of a user. */
const [MISSING, ACTIVE, PENDING, ERASING, ERASED] = [0, 1, 2, 3, 4] as const;
/** What a caller does next. */
const [IDLE, DELETE, RELEASE, UNDO] = [0, 1, 2, 3] as const;

/** Users that one `client_user_id` belongs to one after another, and the calls that delete and restore them. */
export interface DeletionState extends ModelState {
  /** Each user: its state, the number of its last deletion, and whether the grace period of that is over. */
  readonly user: readonly number[];
  readonly deletion: readonly number[];
  readonly isOver: readonly number[];
  /** The user of the `client_user_id`, from 1, and whether that user released it by its deletion. */
  readonly holder: number;
  readonly isReleased: number;
  /** Each caller: what it does, the user, the number of the deletion that it read, and whether that was over. */
  readonly call: readonly number[];
  readonly target: readonly number[];
  readonly read: readonly number[];
  readonly readOver: readonly number[];
  /** Whether an erasure began before the end of its grace period. */
  readonly isEarly: number;
  /** Whether an undo that read the user after that restored it. */
  readonly isLate: number;
}

/** Conditions that the model may lack. */
export type DeletionCondition =
  | "one write of the user and the id"
  | "the state of the id when a user takes it"
  | "the holder of the id when it is restored"
  | "the state of the user when it is restored"
  | "the end of the grace period when an erasure begins"
  | "the return of the id when an erasure begins";

interface DeletionSize {
  readonly users: number;
  readonly callers: number;
  /** Deletions of each user. */
  readonly deletions: number;
  readonly without?: DeletionCondition | undefined;
}

/**
 * Deletion of users with a grace period, undo, and reuse of their `client_user_id` (`functions/users`,
 * `functions/deletion/begin-erasure.ts`). Each call reads first and writes later. State machines begin the erasure at any
 * time, by a clock that may be ahead, and also for a deletion that was undone.
 */
export function userDeletion(options: Partial<DeletionSize> = {}): Model<DeletionState> {
  const size = { users: 3, callers: 2, deletions: 2, ...options };
  const { users, callers, deletions } = size;
  const ids = Array.from({ length: users }, (_, id) => id);
  const none = ids.map(() => 0);
  const idle = Array<number>(callers).fill(IDLE);
  return {
    ranges: {
      ...{ user: { length: users, values: 5 }, deletion: { length: users, values: deletions + 1 } },
      ...{ isOver: { length: users, values: 2 }, holder: users + 1, isReleased: 2 },
      ...{ call: { length: callers, values: 4 }, target: { length: callers, values: users } },
      ...{ read: { length: callers, values: deletions + 1 }, readOver: { length: callers, values: 2 } },
      ...{ isEarly: 2, isLate: 2 },
    },
    initial: {
      ...{ user: none, deletion: none, isOver: none, holder: 0, isReleased: 0 },
      ...{ call: idle, target: idle, read: idle, readOver: idle, isEarly: 0, isLate: 0 },
    },
    rules: [...ids.flatMap((id) => userRules(id, size)), ...idle.flatMap((_, caller) => callRules(caller, size))],
    invariants: {
      "at most one active user has the client_user_id": ({ user }) => user.filter((one) => one === ACTIVE).length <= 1,
      "an active user holds its client_user_id": ({ user, holder, isReleased }) =>
        user.every((one, id) => one !== ACTIVE || (holder === id + 1 && isReleased === 0)),
      "a user in erasure has no client_user_id": ({ user, holder }) =>
        holder === 0 || (user[holder - 1] ?? 0) < ERASING,
      "a held client_user_id belongs to an active user": ({ user, holder, isReleased }) =>
        holder === 0 || isReleased === 1 || user[holder - 1] === ACTIVE,
      "no erasure begins before the end of its grace period": ({ isEarly }) => isEarly === 0,
      "no undo after the end of the grace period restores a user": ({ isLate }) => isLate === 0,
    },
  };
}

const setUser = (state: DeletionState, id: number, to: number): DeletionState => ({
  ...state,
  user: state.user.with(id, to),
});

/** What happens to a user by single writes. */
function userRules(id: number, size: DeletionSize): Rule<DeletionState>[] {
  const name = `user ${id + 1}`;
  const isIn = (state: DeletionState, of: number) => state.user[id] === of;
  return [
    {
      name: `${name} is created`,
      next(state) {
        const isTaken = state.holder !== 0 && state.isReleased === 0;
        const isFree = !isTaken || size.without === "the state of the id when a user takes it";
        return isIn(state, MISSING) && isFree ? [setUser({ ...state, holder: id + 1, isReleased: 0 }, id, ACTIVE)] : [];
      },
    },
    {
      name: `the grace period of ${name} ends`,
      next: (state) =>
        isIn(state, PENDING) && state.isOver[id] === 0 ? [{ ...state, isOver: state.isOver.with(id, 1) }] : [],
    },
    { name: `the erasure of ${name} begins`, next: (state) => beginErasure(state, id, size) },
    {
      name: `the erasure of ${name} ends`,
      next: (state) => (isIn(state, ERASING) ? [setUser(state, id, ERASED)] : []),
    },
  ];
}

function beginErasure(state: DeletionState, id: number, { without }: DeletionSize): DeletionState[] {
  const isDue = state.isOver[id] === 1 || without === "the end of the grace period when an erasure begins";
  if (state.user[id] !== PENDING || !isDue) return [];
  const isMine = state.holder === id + 1 && state.isReleased === 1;
  const isKept = !isMine || without === "the return of the id when an erasure begins";
  const begun = { ...state, isEarly: state.isOver[id] === 1 ? state.isEarly : 1 };
  return [setUser(isKept ? begun : { ...begun, holder: 0, isReleased: 0 }, id, ERASING)];
}

/** A caller reads a user and writes by what it read, on conditions. */
function callRules(caller: number, size: DeletionSize): Rule<DeletionState>[] {
  const name = `caller ${caller + 1}`;
  const set = (state: DeletionState, call: number, target = 0, read = 0, over = 0): DeletionState => ({
    ...state,
    call: state.call.with(caller, call),
    target: state.target.with(caller, target),
    read: state.read.with(caller, read),
    readOver: state.readOver.with(caller, over),
  });
  const begin = (call: number, from: number) => (state: DeletionState) =>
    state.call[caller] !== IDLE
      ? []
      : state.user.flatMap((one, id) => {
          const over = call === UNDO ? state.isOver[id] : 0;
          return one === from ? [set(state, call, id, state.deletion[id], over)] : [];
        });
  const write = (call: number, next: (state: DeletionState, id: number) => DeletionState) => ({
    name: `${name} writes`,
    next: (state: DeletionState) => (state.call[caller] === call ? [next(state, state.target[caller] ?? 0)] : []),
  });
  return [
    { name: `${name} reads a user to delete`, next: begin(DELETE, ACTIVE) },
    { name: `${name} reads a user to restore`, next: begin(UNDO, PENDING) },
    write(DELETE, (state, id) => {
      const isLast = state.deletion[id] === size.deletions;
      if (state.user[id] !== ACTIVE || isLast) return set(state, IDLE);
      const number = (state.deletion[id] ?? 0) + 1;
      const pending = { ...setUser(state, id, PENDING), deletion: state.deletion.with(id, number) };
      const deleted = { ...pending, isOver: state.isOver.with(id, 0) };
      if (size.without === "one write of the user and the id") return set(deleted, RELEASE, id);
      return set(release(deleted, id), IDLE);
    }),
    write(RELEASE, (state, id) => set(release(state, id), IDLE)),
    write(UNDO, (state, id) => set(restore(state, id, caller, size), IDLE)),
  ];
}

const release = (state: DeletionState, id: number): DeletionState =>
  state.holder === id + 1 ? { ...state, isReleased: 1 } : state;

/** The state after an undo, if the deletion that the caller read still stands, and was not over when it was read. */
function restore(state: DeletionState, id: number, caller: number, { without }: DeletionSize): DeletionState {
  const isSame = state.user[id] === PENDING && state.deletion[id] === state.read[caller];
  const isPending = isSame && state.readOver[caller] === 0;
  if (!isPending && without !== "the state of the user when it is restored") return state;
  const isMine = state.holder === id + 1 && state.isReleased === 1;
  const isSplit = without === "one write of the user and the id";
  if (!isMine && !isSplit && without !== "the holder of the id when it is restored") return state;
  const restored = { ...state, isLate: isPending ? state.isLate : 1 };
  return setUser(isMine ? { ...restored, isReleased: 0 } : restored, id, ACTIVE);
}
