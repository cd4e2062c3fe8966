import type { StoredItem } from "../../unit/erasure/races/stored-invariants.ts";
import type { DeletionState } from "../user-deletion.ts";

const stateOf: Readonly<Record<string, number>> = { active: 1, pending_erasure: 2, erasing: 3 };
const ERASED = 4;

/** The stored users of one `client_user_id`, numbered as the model does: in the order of their creation. */
export class StoredUsers {
  readonly ids: string[] = [];
  /** The state of each user. */
  states: readonly number[] = [];
  /** The number of the last deletion of each user. */
  readonly deletions: number[] = [];
  readonly #deletionIds: Set<string>[] = [];
  readonly #endsAtMs: (number | undefined)[] = [];
  readonly #over = new Set<string>();

  /** Takes what the table has now. @returns whether a state of the model shows the same. */
  update(items: readonly StoredItem[]): (state: DeletionState) => boolean {
    const users = items.filter(({ sk }) => sk === "user");
    for (const { user_id } of users) if (!this.ids.includes(user_id)) this.ids.push(user_id);
    const found = this.ids.map((id) => users.find(({ user_id }) => user_id === id));
    this.states = found.map((item) => (item ? (stateOf[item.lifecycle ?? ""] ?? -1) : ERASED));
    for (const [user, item] of found.entries()) this.#noteDeletion(user, item);
    const reservation = items.find(({ sk }) => sk === "reservation");
    const holder = reservation ? this.ids.indexOf(reservation.user_id) + 1 : 0;
    const isReleased = reservation?.state === "released" ? 1 : 0;
    const [states, deletions] = [this.states, [...this.deletions]];
    return (state) =>
      state.holder === holder &&
      state.isReleased === isReleased &&
      state.user.every((one, user) => one === (states[user] ?? 0)) &&
      state.deletion.every((one, user) => one === (deletions[user] ?? 0));
  }

  /** Returns the users whose grace period has ended since the last call. */
  takeOver(nowMs: number): number[] {
    return this.ids.flatMap((_, user) => {
      const endsAtMs = this.#endsAtMs[user];
      const name = `${user} ${this.deletions[user]}`;
      if (this.states[user] !== 2 || endsAtMs === undefined || nowMs < endsAtMs || this.#over.has(name)) return [];
      this.#over.add(name);
      return [user];
    });
  }

  #noteDeletion(user: number, item: StoredItem | undefined): void {
    const known = this.#deletionIds[user] ?? new Set();
    this.#deletionIds[user] = known;
    if (item?.deletion_id !== undefined) known.add(item.deletion_id);
    this.deletions[user] = known.size;
    this.#endsAtMs[user] = item?.erase_at === undefined ? undefined : Date.parse(item.erase_at);
  }
}
