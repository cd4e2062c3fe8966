import { deleteItem, grants, putItem, queryItems } from "../../contract/access.ts";
import { slots } from "../../contract/resources.ts";
import { cancelAppointment } from "../../domain/appointments/appointment.ts";
import {
  type AppointmentRecord,
  type BookableVenue,
  isOpenAppointment,
} from "../../domain/appointments/appointment-record.ts";
import { AVAILABILITY_DAYS, listAvailability, PSC_TIME_ZONE, type Slot } from "../../domain/appointments/slots.ts";
import { clockAt, datesFrom } from "../../domain/appointments/wall-clock.ts";
import { applyAppointmentUpdate } from "../../domain/orders/lifecycle/apply-updates.ts";
import type { LowLevelStatus } from "../../domain/orders/lifecycle/order-status.ts";
import { lowLevelStatus, type Order, OrderTransitionRefused } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { SlotStore } from "../../store/appointments/slots.ts";
import {
  type AppointmentChange,
  type AppointmentWritesDependencies,
  appointmentWritesAccess,
  findCurrentAppointment,
  planAppointmentWrites,
  toAppointmentUpdate,
} from "./appointment-writes.ts";
import { createAppointment, toBookedAppointment } from "./decide-booking.ts";
import type { OrderChangeContext, OrderChangePlan } from "./sync-appointment.ts";

/** Dependencies of simulated appointment steps. */
export type SimulateAppointmentStepDependencies = AppointmentWritesDependencies & {
  readonly slots: Pick<SlotStore, "listReservedTimes" | "reserveItem" | "releaseItem">;
};

/** Grants of {@link simulateAppointmentStep}. */
export const simulateAppointmentStepAccess = grants(
  appointmentWritesAccess,
  queryItems(slots),
  putItem(slots),
  deleteItem(slots),
);

/** Low-level statuses of an order that follow its appointment. */
const APPOINTMENT_LED_LEVELS: readonly LowLevelStatus[] = [
  "appointment_pending",
  "appointment_scheduled",
  "appointment_cancelled",
];

/**
 * Simulates an order step that follows an appointment: creates or moves the appointment, then updates the order.
 * @param place venue for a new appointment; an existing appointment keeps its venue.
 * @returns undefined for a step that follows no appointment, or without a venue.
 * @throws OrderTransitionRefused if the order cannot make this step now, or no slot is free.
 */
export async function simulateAppointmentStep(
  { scope, record: { order }, user, at }: OrderChangeContext,
  level: LowLevelStatus,
  place: BookableVenue | null | undefined,
  deps: SimulateAppointmentStepDependencies,
): Promise<OrderChangePlan | undefined> {
  const present = await findCurrentAppointment(scope, order, deps.appointments);
  const meeting = present ? toVenue(present) : place;
  if (!APPOINTMENT_LED_LEVELS.includes(level) || !meeting) return undefined;
  const changes = await stepChanges(level, { order, present, meeting, at }, deps.slots);
  const leading = changes.at(-1)?.after ?? present;
  if (!leading) return undefined;
  const moved = applyAppointmentUpdate(order, toAppointmentUpdate(leading.appointment), at);
  if (lowLevelStatus(moved) !== level) throw new OrderTransitionRefused(order, level);
  const { items, tasks } = await planAppointmentWrites({ scope, order: moved, user, at }, changes, deps);
  return { change: { order: moved, items }, tasks };
}

interface StepContext {
  readonly order: Order;
  readonly present: AppointmentRecord | undefined;
  readonly meeting: BookableVenue;
  readonly at: string;
}

/** Appointment changes of a simulated step. */
async function stepChanges(
  level: LowLevelStatus,
  { order, present, meeting, at }: StepContext,
  slots: SimulateAppointmentStepDependencies["slots"],
): Promise<AppointmentChange[]> {
  const open = present && isOpenAppointment(present.appointment) ? present : undefined;
  const status = open?.appointment.event_status;
  const { place } = meeting;
  const given = { order, meeting, notes: null, at };
  if (level === "appointment_scheduled") {
    if (status === "scheduled" || status === "in_progress") return [];
    const slot = (open && findSlot(open)) ?? (await findNextFreeSlot(order, meeting, Date.parse(at), slots));
    return [
      { before: open, after: { appointment: toBookedAppointment(open, "scheduled", { ...given, slot }), place } },
    ];
  }
  const isAsked = level === "appointment_pending";
  if (isAsked && status === "pending") return [];
  const ended: AppointmentChange[] = open
    ? [{ before: open, after: { ...open, appointment: toCancelled(open, at) } }]
    : [];
  const asked = () => ({ after: { appointment: createAppointment({ ...given, slot: null }, "pending"), place } });
  return isAsked ? [...ended, asked()] : ended;
}

const toCancelled = ({ appointment }: AppointmentRecord, at: string) =>
  cancelAppointment(appointment, { reasonId: null, note: null }, at);

function findSlot({ appointment: { start_at, end_at } }: AppointmentRecord): Slot | undefined {
  return start_at && end_at ? { startMs: Date.parse(start_at), endMs: Date.parse(end_at) } : undefined;
}

/** Maximum number of 14-day windows to search for a free slot. */
const MAX_WINDOWS = 6;

/** Finds the first free slot. @throws OrderTransitionRefused if no slot is free. */
async function findNextFreeSlot(
  order: Order,
  { type, provider, place, zone }: BookableVenue,
  nowMs: number,
  slots: SimulateAppointmentStepDependencies["slots"],
): Promise<Slot> {
  const days = datesFrom(clockAt(zone, nowMs).date, MAX_WINDOWS * AVAILABILITY_DAYS);
  for (let window = 0; window < MAX_WINDOWS; window++) {
    const [from = ""] = days.slice(window * AVAILABILITY_DAYS);
    const offered = listAvailability(type, zone, from, nowMs).flatMap((day) => day.slots);
    const [first, last] = [offered[0], offered.at(-1)];
    if (!first || !last) continue;
    const held = await slots.listReservedTimes({ provider, place }, first.startMs, last.startMs);
    const free = offered.find(({ startMs }) => !held.has(startMs));
    if (free) return free;
  }
  throw new OrderTransitionRefused(order, "appointment_scheduled", ": no time is free");
}

/** The venue of an appointment. */
function toVenue({ appointment, place }: AppointmentRecord): BookableVenue {
  const { type, provider, address, location, iana_timezone } = appointment;
  return {
    type,
    provider,
    place,
    address,
    location,
    zone: iana_timezone ?? PSC_TIME_ZONE,
  };
}
