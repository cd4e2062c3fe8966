import { GRACE_PERIOD_MS } from "../../../../lib/domain/erasure/deletion-input.ts";
import type { Call, CompletedCall, Outcome, VisibleUser } from "./call-history.ts";

/** The model of a user. `isReused` is set once another user takes its reference during its grace period. */
export interface ModelUser {
  readonly user_id: string;
  readonly client_user_id: string;
  readonly created_on: string;
  readonly isConnected: boolean;
  readonly life: "active" | "pending" | "erased";
  readonly isReused: boolean;
  readonly deletionId: string;
  readonly eraseAtMs: number;
}

/** All users of a team, and the last holder of each reference that has neither left it nor been erased. */
export interface ModelState {
  readonly users: Readonly<Record<string, ModelUser>>;
  readonly lastHolder: Readonly<Record<string, string>>;
}

export const emptyState: ModelState = { users: {}, lastHolder: {} };

/** A possible outcome of a call, and the state after it. */
interface Way {
  readonly outcome: Outcome;
  readonly next: ModelState;
}

const notFound: Outcome = { status: 404, code: "user_not_found" };
const undoRefused: Outcome = { status: 400, code: "undo_refused" };
const success: Outcome = { status: 200 };

/** Every possible outcome of a call in this state: one, or two if the clock passed a limit meanwhile. */
export function possibleOutcomes(state: ModelState, performed: CompletedCall): Way[] {
  const { call } = performed;
  switch (call.kind) {
    case "create":
      return create(state, call.reference, performed);
    case "delete":
      return remove(state, call.userId, performed);
    case "undo":
      return undo(state, call.userId, performed);
    case "undoByReference":
      return undoByReference(state, call.reference, performed);
    case "rename":
      return rename(state, call.userId, call.reference);
    case "connect":
      return connect(state, call.userId);
    case "beginErasure":
      return beginErasure(state, call, performed);
    default:
      return [{ outcome: read(state, call), next: state }];
  }
}

function create(state: ModelState, reference: string, { draws }: CompletedCall): Way[] {
  const holder = holderOf(state, reference);
  if (holder) return [{ outcome: taken(holder), next: state }];
  return draws.map(({ id, atMs }) => {
    const user = {
      user_id: id,
      client_user_id: reference,
      created_on: new Date(atMs).toISOString(),
      isConnected: false,
      life: "active",
      isReused: false,
      deletionId: "",
      eraseAtMs: 0,
    } as const;
    return { outcome: { status: 200, user: seen(user) }, next: take(changed(state, user), user) };
  });
}

function remove(state: ModelState, userId: string, { draws }: CompletedCall): Way[] {
  const user = state.users[userId];
  if (!user || user.life === "erased") return [{ outcome: notFound, next: state }];
  if (user.life === "pending") return [{ outcome: success, next: state }];
  return draws.map(({ id, atMs }) => {
    const pending = { ...user, life: "pending", deletionId: id, eraseAtMs: atMs + GRACE_PERIOD_MS } as const;
    return { outcome: success, next: changed(state, { ...pending, isConnected: false, isReused: false }) };
  });
}

function undo(state: ModelState, userId: string, { fromMs, toMs }: CompletedCall): Way[] {
  const user = state.users[userId];
  if (!user || user.life === "erased") return [{ outcome: notFound, next: state }];
  const refusal = { outcome: undoRefused, next: state };
  if (user.life === "active" || user.isReused) return [refusal];
  const ways: Way[] = toMs >= user.eraseAtMs ? [refusal] : [];
  const active = { ...user, life: "active", deletionId: "", eraseAtMs: 0 } as const;
  if (fromMs < user.eraseAtMs) ways.push({ outcome: success, next: changed(state, active) });
  return ways;
}

function undoByReference(state: ModelState, reference: string, performed: CompletedCall): Way[] {
  const userId = state.lastHolder[reference];
  const ways = userId === undefined ? [{ outcome: notFound, next: state }] : undo(state, userId, performed);
  // Once a user lost the reference to another, the call may be rejected for either of them.
  const losers = Object.values(state.users).filter((user) => user.client_user_id === reference && user.isReused);
  const isRefused = ways.some(({ outcome }) => outcome !== success);
  const refusals = losers.map(({ life }) => (life === "erased" ? notFound : undoRefused));
  return isRefused ? [...ways, ...refusals.map((outcome) => ({ outcome, next: state }))] : ways;
}

function rename(state: ModelState, userId: string, reference: string): Way[] {
  const user = state.users[userId];
  if (user?.life !== "active") return [{ outcome: notFound, next: state }];
  if (user.client_user_id === reference) return [{ outcome: { status: 204 }, next: state }];
  const holder = holderOf(state, reference);
  if (holder) return [{ outcome: taken(holder), next: state }];
  const renamed = { ...user, client_user_id: reference };
  return [{ outcome: { status: 204 }, next: take(changed(left(state, user), renamed), renamed) }];
}

function connect(state: ModelState, userId: string): Way[] {
  const user = state.users[userId];
  if (user?.life !== "active") return [{ outcome: notFound, next: state }];
  return [{ outcome: success, next: changed(state, { ...user, isConnected: true }) }];
}

function beginErasure(
  state: ModelState,
  { deletion }: Call & { kind: "beginErasure" },
  { fromMs, toMs }: CompletedCall,
): Way[] {
  const user = state.users[deletion.user_id];
  const go = { status: 200, proceed: true };
  const stay = { outcome: { status: 200, proceed: false }, next: state };
  if (!user || user.deletionId !== deletion.deletion_id) return [stay];
  // A repeated step may proceed while data may be left, and may stop when nothing is left.
  if (user.life === "erased") return [stay, { outcome: go, next: state }];
  const ways: Way[] = fromMs < user.eraseAtMs ? [stay] : [];
  const erased = changed(left(state, user), { ...user, life: "erased" });
  if (toMs >= user.eraseAtMs) ways.push({ outcome: go, next: erased });
  return ways;
}

function read(state: ModelState, call: Call): Outcome {
  const active = Object.values(state.users).filter(({ life }) => life === "active");
  if (call.kind === "list") return { status: 200, ids: active.map(({ user_id }) => user_id).sort() };
  const user =
    call.kind === "get"
      ? active.find(({ user_id }) => user_id === call.userId)
      : call.kind === "resolve" && holderOf(state, call.reference);
  return user ? { status: 200, user: seen(user) } : notFound;
}

function holderOf(state: ModelState, reference: string): ModelUser | undefined {
  return Object.values(state.users).find((user) => user.life === "active" && user.client_user_id === reference);
}

function seen({ user_id, client_user_id, created_on, isConnected }: ModelUser): VisibleUser {
  return { user_id, client_user_id, created_on, isConnected };
}

function taken({ user_id, created_on }: ModelUser): Outcome {
  return { status: 400, code: "client_user_id_taken", user: { user_id, created_on } };
}

function changed(state: ModelState, user: ModelUser): ModelState {
  return { ...state, users: { ...state.users, [user.user_id]: user } };
}

/** The state after a user took its reference. A pending user with the same reference loses it permanently. */
function take(state: ModelState, taker: ModelUser): ModelState {
  const isLoser = (user: ModelUser) => user.life === "pending" && user.client_user_id === taker.client_user_id;
  const entries = Object.entries(state.users).map(([id, user]) => [
    id,
    isLoser(user) ? { ...user, isReused: true } : user,
  ]);
  return {
    users: Object.fromEntries(entries),
    lastHolder: { ...state.lastHolder, [taker.client_user_id]: taker.user_id },
  };
}

/** The state after a user gave up its reference, by a renaming or by erasure. */
function left(state: ModelState, { user_id, client_user_id }: ModelUser): ModelState {
  const { [client_user_id]: taker, ...others } = state.lastHolder;
  return taker === user_id ? { ...state, lastHolder: others } : state;
}
