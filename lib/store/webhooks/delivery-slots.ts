import * as z from "zod";
import { deliverySlots } from "../../contract/resources.ts";
import type { EndpointReference } from "../../events/webhooks/endpoint-health.ts";
import { ConditionFailed, unlessConditionFailed } from "../condition-failed.ts";
import type { Item, Key } from "../item.ts";
import type { ItemUpdate, Table } from "../table.ts";

/** Seconds after which a slot expires: longer than a function runs. */
const SLOT_S = 60;
/** Retention of an item without open slots. */
const KEPT_S = 24 * 60 * 60;
/** How far ahead retry times are reserved: the longest delay of a message of the attempt queue. */
const MAX_RESERVED_MS = 900_000;

const key = (teamId: string): Key => ({ pk: `${deliverySlots.keyPrefix}${teamId}`, sk: "open" });

/** Maximum number of concurrent attempts. */
export interface SlotLimits {
  readonly team: number;
  readonly endpoint: number;
}

/** An acquired slot: its expiry (epoch seconds), and a random part. */
export type Slot = string;

/** The limit that was reached. */
type ReachedLimit = keyof SlotLimits;

/** A set of open slots, by its attribute, with the most that it may have. */
interface SlotSet {
  readonly name: string;
  readonly most: number;
}

const openSlots = z.set(z.string()).catch(new Set());

/**
 * Limits concurrent attempts at endpoints that are slow, or not known to be prompt. One item for each team has a set of
 * all slots of slow endpoints, a set for each of these, and a set of all slots of the others, so one condition covers the
 * limits. Acquire and release are idempotent.
 */
export class DeliverySlotStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Acquires a slot for a slow endpoint, unless a limit is reached.
   * @param random makes the slot unique.
   * @param nowMs epoch ms.
   */
  async acquire(
    of: EndpointReference,
    { team, endpoint }: SlotLimits,
    random: string,
    nowMs: number,
  ): Promise<Slot | { full: ReachedLimit }> {
    const own = ownName(of);
    const found = await this.#acquire(
      of.team_id,
      [
        { name: "open", most: team },
        { name: own, most: endpoint },
      ],
      random,
      nowMs,
    );
    if (typeof found === "string") return found;
    return { full: openSlots.parse(found.full[own]).size >= endpoint ? "endpoint" : "team" };
  }

  release(of: EndpointReference, slot: Slot): Promise<void> {
    return this.#remove(of.team_id, ["open", ownName(of)], [slot]);
  }

  /**
   * Acquires a slot for endpoints of a team that are not known to be prompt, unless the team has as many as it may.
   * @param random makes the slot unique.
   * @param nowMs epoch ms.
   */
  async acquireUnproven(teamId: string, most: number, random: string, nowMs: number): Promise<Slot | undefined> {
    const found = await this.#acquire(teamId, [{ name: UNPROVEN, most }], random, nowMs);
    return typeof found === "string" ? found : undefined;
  }

  releaseUnproven(teamId: string, slot: Slot): Promise<void> {
    return this.#remove(teamId, [UNPROVEN], [slot]);
  }

  /**
   * Reserves the next retry time for a delivery that got no slot, so that such deliveries return one after another.
   * Times further ahead than {@link MAX_RESERVED_MS} begin anew: by then the endpoint may work again.
   * @param gapMs interval between two retries.
   * @returns epoch ms.
   */
  async reserveRetryTime(of: EndpointReference, full: ReachedLimit, gapMs: number, nowMs: number): Promise<number> {
    const name = full === "team" ? "next" : `next_${of.endpoint_id}`;
    const keep = "expires_at = :expires";
    const behindOthers = {
      UpdateExpression: `SET #next = #next + :gap, ${keep}`,
      ConditionExpression: "#next > :now AND #next < :last",
    };
    const first = {
      UpdateExpression: `SET #next = :first, ${keep}`,
      ConditionExpression: "attribute_not_exists(#next) OR #next <= :now OR #next >= :last",
    };
    for (const [change, values] of [
      [behindOthers, { ":gap": gapMs }],
      [first, { ":first": nowMs + gapMs }],
    ] as const) {
      const item = await this.#changeIf(of.team_id, {
        ...change,
        ExpressionAttributeNames: { "#next": name },
        ExpressionAttributeValues: {
          ...{ ":now": nowMs, ":last": nowMs + MAX_RESERVED_MS - gapMs, ":expires": expiryOf(nowMs) },
          ...values,
        },
      });
      if (item) return z.number().parse(item[name]);
    }
    // Another writer inserted the first retry time in between. The time after it is a good enough guess.
    return nowMs + 2 * gapMs;
  }

  /** Adds a slot to sets that have room, after it has removed expired ones. @returns the item if a set is full. */
  async #acquire(
    teamId: string,
    sets: readonly SlotSet[],
    random: string,
    nowMs: number,
  ): Promise<Slot | { full: Item }> {
    const nowS = Math.floor(nowMs / 1000);
    const slot = `${nowS + SLOT_S}.${random}`;
    for (let look = 1; ; look++) {
      try {
        await this.#table.update(key(teamId), acquireUpdate(sets, slot, nowMs));
        return slot;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        const item = error.items.get(0) ?? {};
        const open = sets.flatMap(({ name }) => [...openSlots.parse(item[name])]);
        const ended = open.filter((one) => Number.parseInt(one, 10) <= nowS);
        if (look > 1 || ended.length === 0) return { full: item };
        await this.#remove(
          teamId,
          sets.map(({ name }) => name),
          ended,
        );
      }
    }
  }

  async #remove(teamId: string, sets: readonly string[], slots: readonly string[]): Promise<void> {
    await this.#changeIf(teamId, {
      UpdateExpression: `DELETE ${sets.map((_, index) => `#s${index} :slots`).join(", ")}`,
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeNames: namesOf(sets),
      ExpressionAttributeValues: { ":slots": new Set(slots) },
    });
  }

  #changeIf(teamId: string, change: ItemUpdate) {
    return unlessConditionFailed(this.#table.update(key(teamId), change));
  }
}

/** The set of slots for endpoints that are not known to be prompt. */
const UNPROVEN = "unproven";
const ownName = ({ endpoint_id }: EndpointReference) => `open_${endpoint_id}`;
const expiryOf = (nowMs: number) => Math.floor(nowMs / 1000) + KEPT_S;
const namesOf = (sets: readonly string[]) => Object.fromEntries(sets.map((name, index) => [`#s${index}`, name]));

/** Returns the update that adds a slot to each set, on condition that all of them have room. */
function acquireUpdate(sets: readonly SlotSet[], slot: Slot, nowMs: number): ItemUpdate {
  const hasRoom = sets.map((_, index) => `(attribute_not_exists(#s${index}) OR size(#s${index}) < :most${index})`);
  const limits = sets.map(({ most }, index) => [`:most${index}`, most]);
  return {
    UpdateExpression: `SET expires_at = :expires ADD ${sets.map((_, index) => `#s${index} :slot`).join(", ")}`,
    ConditionExpression: hasRoom.join(" AND "),
    ExpressionAttributeNames: namesOf(sets.map(({ name }) => name)),
    ExpressionAttributeValues: {
      ":expires": expiryOf(nowMs),
      ":slot": new Set([slot]),
      ...Object.fromEntries(limits),
    },
  };
}
