import { cancelAppointment } from "../../domain/appointments/appointment.ts";
import { type AppointmentRecord, isOpen, type MeetingPlace } from "../../domain/appointments/appointment-record.ts";
import { AVAILABILITY_DAYS, availability, PSC_ZONE, type Slot } from "../../domain/appointments/slots.ts";
import { clockAt, datesFrom } from "../../domain/appointments/wall-clock.ts";
import { followAppointment } from "../../domain/orders/following.ts";
import { currentLevel, type Order, OrderMoveRefused } from "../../domain/orders/order-move.ts";
import type { SlotStore } from "../../store/slots.ts";
import {
  type AppointmentChange,
  type AppointmentUses,
  appointmentWrites,
  newsOf,
  presentAppointment,
} from "./appointment-writes.ts";
import { freshAppointment, withTime } from "./booking.ts";
import type { AgreedChange, ChangingOrder } from "./following-orders.ts";

/** Dependencies of simulated appointment steps. */
export interface ArrangingUses extends AppointmentUses {
  readonly slots: Pick<SlotStore, "heldBetween" | "takeItem" | "freeItem">;
}

/** Low-level statuses of an order that follow its appointment. */
const LED = ["appointment_pending", "appointment_scheduled", "appointment_cancelled"];

/**
 * Simulates an order step that follows an appointment: creates or moves the appointment, then updates the order.
 * @param place venue for a new appointment; an existing appointment keeps its venue.
 * @returns undefined for a step that follows no appointment, or without a venue.
 * @throws OrderMoveRefused if the order cannot make this step now, or no slot is free.
 */
export async function arrangeStep(
  { scope, record: { order }, user, at }: ChangingOrder,
  level: string,
  place: MeetingPlace | null | undefined,
  uses: ArrangingUses,
): Promise<AgreedChange | undefined> {
  const present = await presentAppointment(scope, order, uses.appointments);
  const meeting = present ? meetingOf(present) : place;
  if (!LED.includes(level) || !meeting) return undefined;
  const changes = await stepChanges(level, { order, present, meeting, at }, uses.slots);
  const leading = changes.at(-1)?.after ?? present;
  if (!leading) return undefined;
  const moved = followAppointment(order, newsOf(leading.appointment), at);
  if (currentLevel(moved) !== level) throw new OrderMoveRefused(order, level);
  const { items, work } = await appointmentWrites({ scope, order: moved, user, at }, changes, uses);
  return { change: { order: moved, items }, work };
}

interface Situation {
  readonly order: Order;
  readonly present: AppointmentRecord | undefined;
  readonly meeting: MeetingPlace;
  readonly at: string;
}

/** Appointment changes of a simulated step. */
async function stepChanges(
  level: string,
  { order, present, meeting, at }: Situation,
  slots: ArrangingUses["slots"],
): Promise<AppointmentChange[]> {
  const open = present && isOpen(present.appointment) ? present : undefined;
  const status = open?.appointment.event_status;
  const { place } = meeting;
  const given = { order, meeting, notes: null, at };
  if (level === "appointment_scheduled") {
    if (status === "scheduled" || status === "in_progress") return [];
    const slot = (open && timeOf(open)) ?? (await nextFree(order, meeting, Date.parse(at), slots));
    return [{ before: open, after: { appointment: withTime(open, "scheduled", { ...given, slot }), place } }];
  }
  const isAsked = level === "appointment_pending";
  if (isAsked && status === "pending") return [];
  const ended: AppointmentChange[] = open ? [{ before: open, after: { ...open, appointment: givenUp(open, at) } }] : [];
  const asked = () => ({ after: { appointment: freshAppointment({ ...given, slot: null }, "pending"), place } });
  return isAsked ? [...ended, asked()] : ended;
}

const givenUp = ({ appointment }: AppointmentRecord, at: string) =>
  cancelAppointment(appointment, { reasonId: null, note: null }, at);

function timeOf({ appointment: { start_at, end_at } }: AppointmentRecord): Slot | undefined {
  return start_at && end_at ? { startMs: Date.parse(start_at), endMs: Date.parse(end_at) } : undefined;
}

/** Maximum number of 14-day windows to search for a free slot. */
const WINDOWS = 6;

/** Finds the first free slot. @throws OrderMoveRefused if no slot is free. */
async function nextFree(
  order: Order,
  { type, provider, place, zone }: MeetingPlace,
  nowMs: number,
  slots: ArrangingUses["slots"],
): Promise<Slot> {
  const days = datesFrom(clockAt(zone, nowMs).date, WINDOWS * AVAILABILITY_DAYS);
  for (let window = 0; window < WINDOWS; window++) {
    const [from = ""] = days.slice(window * AVAILABILITY_DAYS);
    const offered = availability(type, zone, from, nowMs).flatMap((day) => day.slots);
    const [first, last] = [offered[0], offered.at(-1)];
    if (!first || !last) continue;
    const held = await slots.heldBetween({ provider, place }, first.startMs, last.startMs);
    const free = offered.find(({ startMs }) => !held.has(startMs));
    if (free) return free;
  }
  throw new OrderMoveRefused(order, "appointment_scheduled", ": no time is free");
}

/** The venue of an appointment. */
function meetingOf({ appointment, place }: AppointmentRecord): MeetingPlace {
  const { type, provider, address, location, iana_timezone } = appointment;
  return { type: type as MeetingPlace["type"], provider, place, address, location, zone: iana_timezone ?? PSC_ZONE };
}
