import type { DeletionInput } from "../../../../lib/domain/erasure/deletion-input.ts";
import type { SeededRandom } from "../../support/seeded-random.ts";
import type { Call } from "./call-history.ts";

/** Few references, so that calls conflict. */
export const CLIENT_USER_IDS = ["a", "b"] as const;

/** The ids that a caller can know at this point of the run. */
interface KnownIds {
  readonly users: readonly string[];
  readonly deletions: readonly DeletionInput[];
}

/** Creates a call of a fixed kind. Its ids are chosen when it starts. */
export type CallFactory = (known: KnownIds) => Call;

type Make = (chance: SeededRandom, known: KnownIds) => Call;

const reference = (chance: SeededRandom) => CLIENT_USER_IDS[chance.isWithinPercent(70) ? 0 : 1];
/** Mostly the first user, the target of most calls of a run. */
const userId = (chance: SeededRandom, { users }: KnownIds) =>
  users[chance.isWithinPercent(60) ? 0 : chance.integerBelow(users.length)] ?? "";

const onUser =
  (kind: "delete" | "undo" | "get" | "connect"): Make =>
  (chance, known) => ({ kind, userId: userId(chance, known) });

const makers: readonly (readonly [share: number, make: Make])[] = [
  [17, (chance) => ({ kind: "create", reference: reference(chance) })],
  [20, onUser("delete")],
  [16, onUser("undo")],
  [10, (chance) => ({ kind: "undoByReference", reference: reference(chance) })],
  [15, (chance, known) => ({ kind: "rename", userId: userId(chance, known), reference: reference(chance) })],
  [4, onUser("get")],
  [8, (chance) => ({ kind: "resolve", reference: reference(chance) })],
  [4, onUser("connect")],
  // An attempt of the machine that comes too early, or for a deletion that no longer stands.
  [6, (chance, known) => (known.deletions.length > 0 ? early(chance, known) : { kind: "resolve", reference: "a" })],
];

const early: Make = (chance, { deletions }) => ({
  kind: "beginErasure",
  deletion: chance.pick(deletions),
});

/** Each call factory, repeated by its share. */
const lots = makers.flatMap(([share, make]) => Array.from({ length: share }, () => make));

function drawCall(chance: SeededRandom): CallFactory {
  const make = chance.pick(lots);
  return (known) => make(chance, known);
}

/** The sequential calls of one caller. */
export function drawCallerCalls(chance: SeededRandom): CallFactory[] {
  return Array.from({ length: 1 + chance.integerBelow(2) }, () => drawCall(chance));
}

/** The calls before the race: a user with the first reference, maybe connected, often deleted, sometimes replaced. */
export function drawInitialCalls(chance: SeededRandom): CallFactory[] {
  const first = ({ users }: KnownIds) => users[0] ?? "";
  const calls: CallFactory[] = [() => ({ kind: "create", reference: "a" })];
  if (chance.isWithinPercent(25)) calls.push((known) => ({ kind: "connect", userId: first(known) }));
  const isDeleted = chance.isWithinPercent(55);
  if (isDeleted) calls.push((known) => ({ kind: "delete", userId: first(known) }));
  if (chance.isWithinPercent(25))
    calls.push(() => ({ kind: "create", reference: isDeleted && chance.isWithinPercent(50) ? "a" : "b" }));
  return calls;
}

/** The target of a clock jump: around the end of a grace period, or somewhere before it. */
export function drawClockJump(chance: SeededRandom, nowMs: number, deletions: readonly DeletionInput[]): number {
  const ends = deletions.map(({ erase_at }) => Date.parse(erase_at)).filter((endMs) => endMs >= nowMs);
  if (ends.length === 0 || chance.isWithinPercent(20)) return nowMs + chance.pick([1, 1_000, 86_400_000]);
  return Math.max(nowMs, chance.pick(ends) + chance.pick([-1, 0, 1]));
}
