import type { Appointment } from "../../domain/appointments/appointment.ts";
import type { AppointmentStore } from "../../store/appointments.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { type OrderReads, requireOrder } from "../changing-orders.ts";
import { presentAppointment } from "./appointment-writes.ts";
import { requireAppointment } from "./booking.ts";
import type { MeetingKind } from "./meeting-kind.ts";

/** Reads the current or last appointment of a kind of an order. @throws NotFound. */
export async function readAppointment(
  scope: TeamScope,
  orderId: string,
  type: MeetingKind["type"],
  uses: Pick<OrderReads, "users"> & { orders: Pick<OrderReads["orders"], "get">; appointments: AppointmentStore },
): Promise<Appointment> {
  const { record } = await requireOrder(scope, orderId, uses);
  return requireAppointment(await presentAppointment(scope, record.order, uses.appointments), { type }).appointment;
}
