import type { Appointment } from "../../domain/appointments/appointment.ts";
import type { AppointmentStore } from "../../store/appointments/appointments.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { type OrderReadDependencies, requireOrder } from "../orders/change-order.ts";
import type { AppointmentKind } from "./appointment-kind.ts";
import { findCurrentAppointment } from "./appointment-writes.ts";
import { requireAppointment } from "./decide-booking.ts";

/** Reads the current or last appointment of a kind of an order. @throws NotFound. */
export async function readAppointment(
  scope: TeamScope,
  orderId: string,
  type: AppointmentKind["type"],
  deps: Pick<OrderReadDependencies, "users"> & {
    orders: Pick<OrderReadDependencies["orders"], "get">;
    appointments: AppointmentStore;
  },
): Promise<Appointment> {
  const { record } = await requireOrder(scope, orderId, deps);
  return requireAppointment(await findCurrentAppointment(scope, record.order, deps.appointments), { type }).appointment;
}
