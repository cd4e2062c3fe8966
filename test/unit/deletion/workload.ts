import type { DeletionInput } from "../../../lib/domain/deletion.ts";
import type { Chance } from "./chance.ts";
import type { Call } from "./history.ts";

/** Few references, so that calls conflict. */
export const REFERENCES = ["a", "b"] as const;

/** The ids that a caller can know at this point of the run. */
export interface Known {
  readonly users: readonly string[];
  readonly deletions: readonly DeletionInput[];
}

/** Creates a call of a fixed kind. Its ids are chosen when it starts. */
export type DrawnCall = (known: Known) => Call;

type Make = (chance: Chance, known: Known) => Call;

const reference = (chance: Chance) => REFERENCES[chance.percent(70) ? 0 : 1];
/** Mostly the first user, the target of most calls of a run. */
const userId = (chance: Chance, { users }: Known) => users[chance.percent(60) ? 0 : chance.below(users.length)] ?? "";

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

function drawCall(chance: Chance): DrawnCall {
  const make = chance.pick(lots);
  return (known) => make(chance, known);
}

/** The sequential calls of one caller. */
export function callsOfTask(chance: Chance): DrawnCall[] {
  return Array.from({ length: 1 + chance.below(2) }, () => drawCall(chance));
}

/** The calls before the race: a user with the first reference, maybe connected, often deleted, sometimes replaced. */
export function opening(chance: Chance): DrawnCall[] {
  const first = ({ users }: Known) => users[0] ?? "";
  const calls: DrawnCall[] = [() => ({ kind: "create", reference: "a" })];
  if (chance.percent(25)) calls.push((known) => ({ kind: "connect", userId: first(known) }));
  const isDeleted = chance.percent(55);
  if (isDeleted) calls.push((known) => ({ kind: "delete", userId: first(known) }));
  if (chance.percent(25))
    calls.push(() => ({ kind: "create", reference: isDeleted && chance.percent(50) ? "a" : "b" }));
  return calls;
}

/** The target of a clock jump: around the end of a grace period, or somewhere before it. */
export function drawJump(chance: Chance, nowMs: number, deletions: readonly DeletionInput[]): number {
  const ends = deletions.map(({ erase_at }) => Date.parse(erase_at)).filter((endMs) => endMs >= nowMs);
  if (ends.length === 0 || chance.percent(20)) return nowMs + chance.pick([1, 1_000, 86_400_000]);
  return Math.max(nowMs, chance.pick(ends) + chance.pick([-1, 0, 1]));
}
