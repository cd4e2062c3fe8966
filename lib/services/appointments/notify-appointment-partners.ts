import {
  type Appointment,
  cancelAppointment,
  isReservationExpired,
  transitionAppointment,
} from "../../domain/appointments/appointment.ts";
import type { FindAppointmentPartner, PartnerAppointment } from "../../domain/appointments/appointment-partner.ts";
import type { AppointmentTask } from "../../domain/lab-work/order-task.ts";
import { applyAppointmentUpdate } from "../../domain/orders/lifecycle/apply-updates.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { OrderChange } from "../orders/change-order.ts";
import {
  type AppointmentChange,
  type AppointmentWritesDependencies,
  appointmentChangeItems,
  toAppointmentUpdate,
} from "./appointment-writes.ts";
import type { OrderChangeContext } from "./sync-appointment.ts";

/** Dependencies of notifying appointment partners. */
type NotifyAppointmentPartnersDependencies = AppointmentWritesDependencies & {
  readonly findVisitPartner: FindAppointmentPartner;
};

/**
 * Sends the current state of appointments to their partners, with the access notes of the address on every booking and
 * reschedule. Confirms a pending booking, or cancels it after its deadline. Cancels a booking that the partner refuses,
 * and a reservation without a requisition. @returns the resulting change of the order and its appointments.
 */
export async function notifyAppointmentPartners(
  { scope, record: { order }, user, at }: OrderChangeContext,
  { appointment_ids, deadline }: AppointmentTask,
  deps: NotifyAppointmentPartnersDependencies,
): Promise<OrderChange> {
  const changes: AppointmentChange[] = [];
  for (const id of appointment_ids) {
    const before = await deps.appointments.get(scope, order.id, id);
    if (!before) continue;
    const appointment = await notifyPartner(before.appointment, { order, deadline, at }, deps.findVisitPartner);
    if (appointment !== before.appointment) changes.push({ before, after: { ...before, appointment } });
  }
  const last = changes.at(-1)?.after.appointment;
  if (!last) return {};
  return {
    order: applyAppointmentUpdate(order, toAppointmentUpdate(last), at),
    items: appointmentChangeItems({ scope, user, at }, changes, deps),
  };
}

interface NotificationContext {
  readonly order: Order;
  /** When a pending booking expires, ISO 8601. */
  readonly deadline: string | null;
  readonly at: string;
}

async function notifyPartner(
  appointment: Appointment,
  { order, deadline, at }: NotificationContext,
  find: FindAppointmentPartner,
): Promise<Appointment> {
  const { event_status: status, provider, start_at } = appointment;
  const cancelled = (note: string) => cancelAppointment(appointment, { reasonId: null, note }, at);
  if (status === "completed") return appointment;
  if (status === "reserved") {
    return isReservationExpired(appointment, Date.parse(at))
      ? cancelled("The order got no requisition in time.")
      : appointment;
  }
  const partner = find(provider);
  if (!partner) throw new Error("no partner is configured for the provider of an appointment");
  const visit = toVisit(appointment, order);
  const isLate = status === "pending" && deadline !== null && deadline <= at;
  if (status === "cancelled" || isLate) {
    await partner.cancel(visit);
    return isLate ? cancelled("The provider did not confirm the booking in time.") : appointment;
  }
  if ((await partner.book(visit)) === "refused") return cancelled("The provider refused the booking.");
  return status === "pending" && start_at !== null ? transitionAppointment(appointment, "scheduled", at) : appointment;
}

function toVisit(appointment: Appointment, { patient_address }: Order): PartnerAppointment {
  const isAtHome = appointment.type === "phlebotomy";
  const access_notes = isAtHome ? appointment.address.access_notes : (patient_address?.access_notes ?? null);
  return { appointment, access_notes };
}
