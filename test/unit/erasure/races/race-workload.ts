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

type Make = (random: SeededRandom, known: KnownIds) => Call;

const reference = (random: SeededRandom) => CLIENT_USER_IDS[random.isWithinPercent(70) ? 0 : 1];
/** Mostly the first user, the target of most calls of a run. */
const userId = (random: SeededRandom, { users }: KnownIds) =>
  users[random.isWithinPercent(60) ? 0 : random.integerBelow(users.length)] ?? "";

const onUser =
  (kind: "delete" | "undo" | "get" | "connect"): Make =>
  (random, known) => ({ kind, userId: userId(random, known) });

const makers: readonly (readonly [share: number, make: Make])[] = [
  [17, (random) => ({ kind: "create", reference: reference(random) })],
  [20, onUser("delete")],
  [16, onUser("undo")],
  [10, (random) => ({ kind: "undoByReference", reference: reference(random) })],
  [15, (random, known) => ({ kind: "rename", userId: userId(random, known), reference: reference(random) })],
  [4, onUser("get")],
  [8, (random) => ({ kind: "resolve", reference: reference(random) })],
  [4, onUser("connect")],
  // An attempt of the machine that comes too early, or for a deletion that no longer stands.
  [6, (random, known) => (known.deletions.length > 0 ? early(random, known) : { kind: "resolve", reference: "a" })],
];

const early: Make = (random, { deletions }) => ({
  kind: "beginErasure",
  deletion: random.pick(deletions),
});

/** Each call factory, repeated by its share. */
const lots = makers.flatMap(([share, make]) => Array.from({ length: share }, () => make));

function drawCall(random: SeededRandom): CallFactory {
  const make = random.pick(lots);
  return (known) => make(random, known);
}

/** The sequential calls of one caller. */
export function drawCallerCalls(random: SeededRandom): CallFactory[] {
  return Array.from({ length: 1 + random.integerBelow(2) }, () => drawCall(random));
}

/** The calls before the race: a user with the first reference, maybe connected, often deleted, sometimes replaced. */
export function drawInitialCalls(random: SeededRandom): CallFactory[] {
  const first = ({ users }: KnownIds) => users[0] ?? "";
  const calls: CallFactory[] = [() => ({ kind: "create", reference: "a" })];
  if (random.isWithinPercent(25)) calls.push((known) => ({ kind: "connect", userId: first(known) }));
  const isDeleted = random.isWithinPercent(55);
  if (isDeleted) calls.push((known) => ({ kind: "delete", userId: first(known) }));
  if (random.isWithinPercent(25))
    calls.push(() => ({ kind: "create", reference: isDeleted && random.isWithinPercent(50) ? "a" : "b" }));
  return calls;
}

/** The target of a clock jump: around the end of a grace period, or somewhere before it. */
export function drawClockJump(random: SeededRandom, nowMs: number, deletions: readonly DeletionInput[]): number {
  const ends = deletions.map(({ erase_at }) => Date.parse(erase_at)).filter((endMs) => endMs >= nowMs);
  if (ends.length === 0 || random.isWithinPercent(20)) return nowMs + random.pick([1, 1_000, 86_400_000]);
  return Math.max(nowMs, random.pick(ends) + random.pick([-1, 0, 1]));
}
