import * as z from "zod";
import { USER_DELETION_SHARD } from "../../../../lib/store/erasure/due-deletions.ts";
import type { ModelState, ModelUser } from "./user-model.ts";

/** The fields of a directory item (a user or a reservation) that the invariants read. */
export const storedItem = z.object({
  pk: z.string(),
  sk: z.string(),
  /** Missing only when a broken write created an item. */
  user_id: z.string().default(""),
  client_user_id: z.string().optional(),
  lifecycle: z.string().optional(),
  deletion_id: z.string().optional(),
  erase_at: z.string().optional(),
  state: z.string().optional(),
  connections: z.record(z.string(), z.unknown()).optional(),
  team_users: z.string().optional(),
  due_shard: z.string().optional(),
});
export type StoredItem = z.output<typeof storedItem>;

/** The list of its team that has a user. */
const listOf = ({ team_users }: StoredItem) =>
  team_users === undefined ? undefined : team_users.includes("#pending#") ? "pending" : "active";
const expectedList = ({ lifecycle }: StoredItem) => ({ active: "active", pending_erasure: "pending" })[lifecycle ?? ""];

const referenceOf = (reservation: StoredItem) => reservation.pk.slice(reservation.pk.lastIndexOf("#") + 1);

const isClaim = (user: StoredItem, reservation: StoredItem) =>
  reservation.user_id === user.user_id && referenceOf(reservation) === user.client_user_id;

/** Describes each invariant that the stored items break. Invariants hold between any two requests. */
export function findBrokenInvariants(items: readonly StoredItem[]): string[] {
  const users = items.filter(({ sk }) => sk === "user");
  const reservations = items.filter(({ sk }) => sk === "reservation");
  const active = users.filter(({ lifecycle }) => lifecycle === "active");
  const isHeld = (user: StoredItem) => reservations.some((item) => isClaim(user, item) && item.state === "held");
  const isClaimRight = (reservation: StoredItem) => {
    const lifecycle = reservation.state === "held" ? "active" : "pending_erasure";
    return users.some((user) => user.lifecycle === lifecycle && isClaim(user, reservation));
  };
  return [
    ...active
      .filter((user) => active.some((other) => other !== user && other.client_user_id === user.client_user_id))
      .map((user) => `two active users have the reference ${user.client_user_id}`),
    ...active
      .filter((user) => !isHeld(user))
      .map((user) => `the active user ${user.user_id} does not hold its reference ${user.client_user_id}`),
    ...reservations
      .filter((reservation) => !isClaimRight(reservation))
      .map((item) => `${referenceOf(item)} is ${item.state} by ${item.user_id}, which does not claim it`),
    ...users
      .filter((user) => listOf(user) !== expectedList(user))
      .map((user) => `the ${user.lifecycle} user ${user.user_id} is wrongly in or missing from the list of users`),
    ...users
      .filter((user) => (user.lifecycle === "pending_erasure") !== (user.due_shard === USER_DELETION_SHARD))
      .map((user) => `the ${user.lifecycle} user ${user.user_id} is wrongly in or missing from the due deletions`),
    ...users
      .filter((user) => user.lifecycle !== "active" && Object.keys(user.connections ?? {}).length > 0)
      .map((user) => `the ${user.lifecycle} user ${user.user_id} has a connection`),
  ];
}

const lifecyclesOf: Readonly<Record<ModelUser["life"], readonly (string | undefined)[]>> = {
  active: ["active"],
  pending: ["pending_erasure"],
  erased: ["erasing", undefined],
};

/** Whether the stored items match this state of the model. */
export function matchesModel(model: ModelState, items: readonly StoredItem[]): boolean {
  const users = new Map(items.filter(({ sk }) => sk === "user").map((user) => [user.user_id, user]));
  const isAsModelled = Object.values(model.users).every((user) => {
    const stored = users.get(user.user_id);
    const isSame = !stored || stored.client_user_id === user.client_user_id;
    const isConnected = Object.keys(stored?.connections ?? {}).length > 0;
    return isSame && isConnected === user.isConnected && lifecyclesOf[user.life].includes(stored?.lifecycle);
  });
  return isAsModelled && [...users.keys()].every((id) => id in model.users);
}

/** Items of unfinished deletions after all timers and the sweep: only active users and held references may remain. */
export function findUnfinishedDeletions(items: readonly StoredItem[]): string[] {
  return items
    .filter(({ lifecycle, state }) => lifecycle !== "active" && state !== "held")
    .map(({ sk, user_id, lifecycle, state }) => `${sk} of ${user_id} stays ${lifecycle ?? state}`);
}
