import { appointmentTypeOf, type BookableVenue } from "../../domain/appointments/appointment-record.ts";
import { type BookingKeyRefusal, parseBookingKey, resolveBookingKey } from "../../domain/appointments/booking-key.ts";
import type { Slot } from "../../domain/appointments/slots.ts";
import type { Environment } from "../../domain/management/records.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import { deployment } from "../../runtime/deployment.ts";
import { NotFound, NotPossible } from "../../runtime/errors.ts";
import type { SlotStore } from "../../store/appointments/slots.ts";
import type { AppointmentKind } from "./appointment-kind.ts";

const refusals: Readonly<Record<BookingKeyRefusal, string>> = {
  expired: "This booking key has expired: search for times again.",
  other_place: "This booking key is for another place or provider.",
  not_offered: "This time is no longer available.",
};

/** A booking key and the order that uses it. */
interface KeyUse {
  readonly teamId: string;
  readonly order: Order;
  readonly text: string;
  readonly kind: AppointmentKind;
  readonly nowMs: number;
  /** The appointment to reschedule, which may hold the slot already. */
  readonly appointmentId?: string;
}

/** @throws NotPossible for an order with another collection method. */
export function requireAppointmentKind(order: Order, kind: AppointmentKind): void {
  if (appointmentTypeOf(order) !== kind.type) throw new NotPossible("This order uses another collection method.");
}

/**
 * Resolves a booking key to its venue and slot.
 * @throws NotPossible for a key that the order cannot use; for a slot that is taken, see `slotTakenError`.
 */
export async function resolveBookingSlot(
  { teamId, order, text, kind, nowMs, appointmentId }: KeyUse,
  slots: Pick<SlotStore, "getHolder">,
): Promise<{ readonly meeting: BookableVenue; readonly slot: Slot }> {
  requireAppointmentKind(order, kind);
  const key = parseBookingKey(text, teamId);
  if (!key) throw new NotPossible("This is not a booking key of the team.");
  const served = await kind.findServiceArea(order);
  const slot = resolveBookingKey(key, served, nowMs);
  if (typeof slot === "string") throw new NotPossible(refusals[slot]);
  const start_at = new Date(slot.startMs).toISOString();
  const holder = await slots.getHolder({ provider: key.provider, place: key.place, start_at });
  if (holder !== undefined && holder !== appointmentId) throw slotTakenError(deployment().environment);
  return { meeting: served.venueAt(key.provider, key.place), slot };
}

/** The error for a slot that another order holds: 400 in a sandbox, 404 in production, as published. */
export function slotTakenError(environment: Environment): NotPossible | NotFound {
  const message = "This time is already booked: search for times again.";
  return environment === "sandbox" ? new NotPossible(message) : new NotFound(message);
}
