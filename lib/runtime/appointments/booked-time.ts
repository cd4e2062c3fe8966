import { type MeetingPlace, meetingTypeOf } from "../../domain/appointments/appointment-record.ts";
import { type KeyRefusal, keptSlot, readBookingKey } from "../../domain/appointments/booking-key.ts";
import type { Slot } from "../../domain/appointments/slots.ts";
import type { Environment } from "../../domain/identity.ts";
import type { Order } from "../../domain/orders/order-move.ts";
import type { SlotStore } from "../../store/slots.ts";
import { deployment } from "../deployment.ts";
import { NotFound, NotPossible } from "../errors.ts";
import type { MeetingKind } from "./meeting-kind.ts";

const refusals: Readonly<Record<KeyRefusal, string>> = {
  expired: "This booking key has expired: search for times again.",
  other_place: "This booking key is for another place or provider.",
  not_offered: "This time is no longer available.",
};

/** A booking key and the order that uses it. */
interface KeyUse {
  readonly teamId: string;
  readonly order: Order;
  readonly text: string;
  readonly kind: MeetingKind;
  readonly nowMs: number;
  /** The appointment to reschedule, which may hold the slot already. */
  readonly appointmentId?: string;
}

/** @throws NotPossible for an order with another collection method. */
export function requireKind(order: Order, kind: MeetingKind): void {
  if (meetingTypeOf(order) !== kind.type) throw new NotPossible("This order uses another collection method.");
}

/**
 * Resolves a booking key to its venue and slot.
 * @throws NotPossible for a key that the order cannot use; for a slot that is taken, see `slotTaken`.
 */
export async function bookedTime(
  { teamId, order, text, kind, nowMs, appointmentId }: KeyUse,
  slots: Pick<SlotStore, "holderOf">,
): Promise<{ readonly meeting: MeetingPlace; readonly slot: Slot }> {
  requireKind(order, kind);
  const key = readBookingKey(text, teamId);
  if (!key) throw new NotPossible("This is not a booking key of the team.");
  const served = await kind.servedOf(order);
  const slot = keptSlot(key, served, nowMs);
  if (typeof slot === "string") throw new NotPossible(refusals[slot]);
  const start_at = new Date(slot.startMs).toISOString();
  const holder = await slots.holderOf({ provider: key.provider, place: key.place, start_at });
  if (holder !== undefined && holder !== appointmentId) throw slotTaken(deployment().environment);
  return { meeting: served.meetingAt(key.provider, key.place), slot };
}

/** The error for a slot that another order holds: 400 in a sandbox, 404 in production, as published. */
export function slotTaken(environment: Environment): NotPossible | NotFound {
  const message = "This time is already booked: search for times again.";
  return environment === "sandbox" ? new NotPossible(message) : new NotFound(message);
}
