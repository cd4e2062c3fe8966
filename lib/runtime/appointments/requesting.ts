import { isOpen } from "../../domain/appointments/appointment-record.ts";
import type { AppointmentRequest } from "../../domain/appointments/appointment-requests.ts";
import { NotPossible } from "../errors.ts";
import { homeArea, visitOf } from "./at-home.ts";
import { requireKind } from "./booked-time.ts";
import { freshAppointment, requireBookable, requirePartner } from "./booking.ts";
import type { BookingUses, Decide } from "./commanding.ts";
import type { MeetingKind } from "./meeting-kind.ts";

/** Kind of appointment and dependencies of an appointment request. */
interface Asking {
  readonly kind: MeetingKind;
  readonly uses: Pick<BookingUses, "findVisitPartner">;
}

/** Decides on an appointment request to a provider without bookable slots. */
export const requesting =
  ({ kind, uses }: Asking, asked: AppointmentRequest): Decide =>
  async ({ order, present, at }) => {
    requireKind(order, kind);
    requireBookable(order);
    if (present && isOpen(present.appointment))
      throw new NotPossible("The order already has an appointment: cancel it first.");
    const area = await homeArea(asked.address);
    if (!area?.byRequest.includes(asked.provider)) {
      throw new NotPossible("This provider takes no appointment requests there; see the area info of the zip code.");
    }
    requirePartner(uses.findVisitPartner, asked.provider);
    const access_notes = asked.address.access_notes ?? order.patient_address?.access_notes ?? null;
    const meeting = visitOf(area, { ...asked.address, access_notes }, asked.provider);
    const notes = asked.appointment_notes ?? null;
    const appointment = freshAppointment({ order, meeting, slot: null, notes, at }, "pending");
    return { after: { appointment, place: meeting.place } };
  };
