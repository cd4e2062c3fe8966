import {
  type Appointment,
  cancelAppointment,
  isReservationLost,
  moveAppointment,
} from "../../domain/appointments/appointment.ts";
import type { FindVisitPartner, Visit } from "../../domain/appointments/visit-partner.ts";
import { followAppointment } from "../../domain/orders/following.ts";
import type { Order } from "../../domain/orders/order-move.ts";
import type { VisitWork } from "../../domain/orders/order-work.ts";
import type { OrderChange } from "../changing-orders.ts";
import { type AppointmentChange, type AppointmentUses, changeItems, newsOf } from "./appointment-writes.ts";
import type { ChangingOrder } from "./following-orders.ts";

/** Dependencies of notifying appointment partners. */
interface TellingUses extends AppointmentUses {
  readonly findVisitPartner: FindVisitPartner;
}

/**
 * Sends the current state of appointments to their partners, with the access notes of the address on every booking and
 * reschedule. Confirms a pending booking, or cancels it after its deadline. Cancels a booking that the partner refuses,
 * and a reservation without a requisition. @returns the resulting change of the order and its appointments.
 */
export async function tellPartners(
  { scope, record: { order }, user, at }: ChangingOrder,
  { appointment_ids, deadline }: VisitWork,
  uses: TellingUses,
): Promise<OrderChange> {
  const changes: AppointmentChange[] = [];
  for (const id of appointment_ids) {
    const before = await uses.appointments.get(scope, order.id, id);
    if (!before) continue;
    const appointment = await afterTelling(before.appointment, { order, deadline, at }, uses.findVisitPartner);
    if (appointment !== before.appointment) changes.push({ before, after: { ...before, appointment } });
  }
  const last = changes.at(-1)?.after.appointment;
  if (!last) return {};
  return { order: followAppointment(order, newsOf(last), at), items: changeItems({ scope, user, at }, changes, uses) };
}

interface Telling {
  readonly order: Order;
  /** When a pending booking expires, ISO 8601. */
  readonly deadline: string | null;
  readonly at: string;
}

async function afterTelling(
  appointment: Appointment,
  { order, deadline, at }: Telling,
  find: FindVisitPartner,
): Promise<Appointment> {
  const { event_status: status, provider, start_at } = appointment;
  const cancelled = (note: string) => cancelAppointment(appointment, { reasonId: null, note }, at);
  if (status === "completed") return appointment;
  if (status === "reserved") {
    return isReservationLost(appointment, Date.parse(at))
      ? cancelled("The order got no requisition in time.")
      : appointment;
  }
  const partner = find(provider);
  if (!partner) throw new Error("no partner is configured for the provider of an appointment");
  const visit = visitOf(appointment, order);
  const isLate = status === "pending" && deadline !== null && deadline <= at;
  if (status === "cancelled" || isLate) {
    await partner.withdraw(visit);
    return isLate ? cancelled("The provider did not confirm the booking in time.") : appointment;
  }
  if ((await partner.take(visit)) === "refused") return cancelled("The provider refused the booking.");
  return status === "pending" && start_at !== null ? moveAppointment(appointment, "scheduled", at) : appointment;
}

function visitOf(appointment: Appointment, { patient_address }: Order): Visit {
  const isAtHome = appointment.type === "phlebotomy";
  const access_notes = isAtHome ? appointment.address.access_notes : (patient_address?.access_notes ?? null);
  return { appointment, access_notes };
}
