import * as z from "zod";
import { deliverySlots } from "../../contract/resources.ts";
import type { EndpointReference } from "../../events/webhooks/endpoint-health.ts";
import { ConditionFailed, unlessConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import type { ItemUpdate, Table } from "../table.ts";

/** Seconds after which a slot expires: longer than a function runs. */
const SLOT_S = 60;
/** Retention of an item without open slots. */
const KEPT_S = 24 * 60 * 60;

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

const openSlots = z.set(z.string()).catch(new Set());

/**
 * Limits concurrent attempts at slow endpoints. One item for each team has a set of all slots and a set for each
 * endpoint, so one condition covers both limits. Acquire and release are idempotent.
 */
export class DeliverySlotStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Acquires a slot, unless a limit is reached.
   * @param random makes the slot unique.
   * @param nowMs epoch ms.
   */
  async acquire(
    of: EndpointReference,
    bounds: SlotLimits,
    random: string,
    nowMs: number,
  ): Promise<Slot | { full: ReachedLimit }> {
    const nowS = Math.floor(nowMs / 1000);
    const slot = `${nowS + SLOT_S}.${random}`;
    for (let look = 1; ; look++) {
      try {
        await this.#table.update(key(of.team_id), {
          UpdateExpression: "SET expires_at = :expires ADD #team :slot, #own :slot",
          ConditionExpression:
            "(attribute_not_exists(#team) OR size(#team) < :most) AND (attribute_not_exists(#own) OR size(#own) < :mostOwn)",
          ExpressionAttributeNames: names(of),
          ExpressionAttributeValues: {
            ":expires": nowS + KEPT_S,
            ":slot": new Set([slot]),
            ":most": bounds.team,
            ":mostOwn": bounds.endpoint,
          },
        });
        return slot;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        const item = error.items.get(0) ?? {};
        const own = openSlots.parse(item[ownName(of)]);
        const ended = [...own, ...openSlots.parse(item.open)].filter((one) => Number.parseInt(one, 10) <= nowS);
        if (look > 1 || ended.length === 0) return { full: own.size >= bounds.endpoint ? "endpoint" : "team" };
        await this.#remove(of, ended);
      }
    }
  }

  release(of: EndpointReference, slot: Slot): Promise<void> {
    return this.#remove(of, [slot]);
  }

  /**
   * Reserves the next retry time for a delivery that got no slot, so that such deliveries return one after another.
   * @param gapMs interval between two retries.
   * @returns epoch ms.
   */
  async reserveRetryTime(of: EndpointReference, full: ReachedLimit, gapMs: number, nowMs: number): Promise<number> {
    const name = full === "team" ? "next" : `next_${of.endpoint_id}`;
    const keep = "expires_at = :expires";
    const behindOthers = { UpdateExpression: `SET #next = #next + :gap, ${keep}`, ConditionExpression: "#next > :now" };
    const first = {
      UpdateExpression: `SET #next = :first, ${keep}`,
      ConditionExpression: "attribute_not_exists(#next) OR #next <= :now",
    };
    for (const [change, values] of [
      [behindOthers, { ":gap": gapMs }],
      [first, { ":first": nowMs + gapMs }],
    ] as const) {
      const item = await this.#changeIf(of, {
        ...change,
        ExpressionAttributeNames: { "#next": name },
        ExpressionAttributeValues: { ":now": nowMs, ":expires": Math.floor(nowMs / 1000) + KEPT_S, ...values },
      });
      if (item) return z.number().parse(item[name]);
    }
    // Another writer inserted the first retry time in between. The time after it is a good enough guess.
    return nowMs + 2 * gapMs;
  }

  async #remove(of: EndpointReference, slots: readonly Slot[]): Promise<void> {
    await this.#changeIf(of, {
      UpdateExpression: "DELETE #team :slots, #own :slots",
      ConditionExpression: "attribute_exists(pk)",
      ExpressionAttributeNames: names(of),
      ExpressionAttributeValues: { ":slots": new Set(slots) },
    });
  }

  #changeIf(of: EndpointReference, change: ItemUpdate) {
    return unlessConditionFailed(this.#table.update(key(of.team_id), change));
  }
}

const ownName = ({ endpoint_id }: EndpointReference) => `open_${endpoint_id}`;
const names = (of: EndpointReference) => ({ "#team": "open", "#own": ownName(of) });
