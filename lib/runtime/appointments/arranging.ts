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

/** What simulated steps of appointments take. */
export interface ArrangingUses extends AppointmentUses {
  readonly slots: Pick<SlotStore, "heldBetween" | "takeItem" | "freeItem">;
}

/** Steps of an order that its appointment leads. */
const LED = ["appointment_pending", "appointment_scheduled", "appointment_cancelled"];

/**
 * A simulated step of an order that its appointment leads: the appointment is made or moved, and the order follows.
 * @param place where appointments of the order are given; one that it has stays where it is.
 * @returns undefined for a step that no appointment leads: another one, or where none is given.
 * @throws OrderMoveRefused where the order does not make this step now, or no time is free.
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

/** What an order's appointments become by a step that they lead. */
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

/** How many times 14 days are looked through for a time that is free. */
const WINDOWS = 6;

/** The first time that nobody has. @throws OrderMoveRefused where there is none. */
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

/** Where an appointment is given. */
function meetingOf({ appointment, place }: AppointmentRecord): MeetingPlace {
  const { type, provider, address, location, iana_timezone } = appointment;
  return { type: type as MeetingPlace["type"], provider, place, address, location, zone: iana_timezone ?? PSC_ZONE };
}
