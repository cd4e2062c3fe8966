import * as z from "zod";
import { slots } from "../../contract/resources.ts";
import type { HeldSlot } from "../../domain/appointments/appointment-record.ts";
import { unlessConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { WriteItem } from "../transaction.ts";

/** Retention of a slot after its time. */
const KEPT_MS = 48 * 60 * 60 * 1000;

const slotItem = z.object({ sk: z.string(), appointment_id: z.string() });

type Place = Pick<HeldSlot, "provider" | "place">;

const partition = ({ provider, place }: Place) => `${slots.keyPrefix}${provider}#${place}`;
const keyOf = (slot: HeldSlot): Key => ({ pk: partition(slot), sk: slot.start_at });

/**
 * Reserved appointment times: one item for each time, written with its appointment. All teams share the times, so the
 * keys contain no team and no personal data.
 */
export class SlotStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the id of the appointment that reserved a time. */
  async getHolder(slot: Place & Pick<HeldSlot, "start_at">): Promise<string | undefined> {
    return (await this.#table.get({ pk: partition(slot), sk: slot.start_at }, slotItem))?.appointment_id;
  }

  /** Returns the start times (epoch ms) reserved at a place between two instants (epoch ms). */
  async listReservedTimes(place: Place, fromMs: number, toMs: number): Promise<ReadonlySet<number>> {
    const iso = (ms: number) => new Date(ms).toISOString();
    const input = {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
      ExpressionAttributeValues: { ":pk": partition(place), ":from": iso(fromMs), ":to": iso(toMs) },
    };
    const held = await Array.fromAsync(this.#table.queryAll(input, slotItem));
    return new Set(held.map(({ sk }) => Date.parse(sk)));
  }

  /** Builds the write that reserves a time. It fails if another appointment has the time. */
  reserveItem(slot: HeldSlot): WriteItem {
    const { appointment_id, start_at } = slot;
    const expires_at = Math.ceil((Date.parse(start_at) + KEPT_MS) / 1000);
    return {
      Put: {
        TableName: this.#table.name,
        Item: { ...keyOf(slot), appointment_id, expires_at },
        ConditionExpression: `${NOT_EXISTS} OR appointment_id = :holder`,
        ExpressionAttributeValues: { ":holder": appointment_id },
      },
    };
  }

  /** Builds the write that releases a time. It fails if another appointment has the time. */
  releaseItem(slot: HeldSlot): WriteItem {
    return { Delete: { TableName: this.#table.name, Key: keyOf(slot), ...ifHeldBy(slot) } };
  }

  /** Releases a time, unless another appointment has it by now. */
  async release(slot: HeldSlot): Promise<void> {
    await unlessConditionFailed(this.#table.delete(keyOf(slot), ifHeldBy(slot)));
  }
}

const ifHeldBy = ({ appointment_id }: HeldSlot) => ({
  ConditionExpression: `${NOT_EXISTS} OR appointment_id = :holder`,
  ExpressionAttributeValues: { ":holder": appointment_id },
});
