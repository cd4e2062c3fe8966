import { isOpenAppointment } from "../../domain/appointments/appointment-record.ts";
import type { AppointmentRequest } from "../../domain/appointments/appointment-requests.ts";
import { NotPossible } from "../../runtime/errors.ts";
import type { AppointmentKind } from "./appointment-kind.ts";
import {
  createAppointment,
  refuseSecondAppointment,
  requireAppointmentPartner,
  requireBookableOrder,
} from "./decide-booking.ts";
import type { BookingDependencies, DecideAppointment } from "./execute-appointment-command.ts";
import { findHomeArea, toHomeVisit } from "./home-appointments.ts";
import { requireAppointmentKind } from "./resolve-booking-slot.ts";

/** Kind of appointment and dependencies of an appointment request. */
interface RequestContext {
  readonly kind: AppointmentKind;
  readonly deps: Pick<BookingDependencies, "findVisitPartner">;
}

/** Decides on an appointment request to a provider without bookable slots. */
export const decideAppointmentRequest =
  ({ kind, deps }: RequestContext, asked: AppointmentRequest): DecideAppointment =>
  async ({ order, current, at }) => {
    requireAppointmentKind(order, kind);
    if (current && isOpenAppointment(current.appointment)) refuseSecondAppointment(order, current.appointment, at);
    requireBookableOrder(order);
    const area = await findHomeArea(asked.address);
    if (!area?.byRequest.includes(asked.provider)) {
      throw new NotPossible("This provider takes no appointment requests there; see the area info of the zip code.");
    }
    requireAppointmentPartner(deps.findVisitPartner, asked.provider);
    const access_notes = asked.address.access_notes ?? order.patient_address?.access_notes ?? null;
    const meeting = toHomeVisit(area, { ...asked.address, access_notes }, asked.provider);
    const notes = asked.appointment_notes ?? null;
    const appointment = createAppointment({ order, meeting, slot: null, notes, at }, "pending");
    return { after: { appointment, place: meeting.place } };
  };
