import { type Appointment, reservationEndMs } from "../../domain/appointments/appointment.ts";
import {
  type AppointmentRecord,
  appointmentIdOf,
  type HeldSlot,
  isOpen,
  slotOf,
} from "../../domain/appointments/appointment-record.ts";
import type { AppointmentStatus } from "../../domain/appointments/appointment-states.ts";
import type { AppointmentNews } from "../../domain/orders/following.ts";
import type { Order } from "../../domain/orders/order-move.ts";
import type { OrderWork, VisitWork } from "../../domain/orders/order-work.ts";
import type { UserRecord } from "../../domain/user.ts";
import { appointmentEvents } from "../../events/appointment-events.ts";
import type { AppointmentStore } from "../../store/appointments.ts";
import type { OrderWorkStore } from "../../store/order-work.ts";
import type { OutboxStore } from "../../store/outbox.ts";
import type { SlotStore } from "../../store/slots.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import { planWork } from "../new-order-items.ts";

/** Dependencies of appointment writes. */
export interface AppointmentUses {
  readonly appointments: Pick<AppointmentStore, "get" | "putItem">;
  /** Absent if no change reserves or frees a slot. */
  readonly slots?: Pick<SlotStore, "takeItem" | "freeItem">;
  readonly orderWork: Pick<OrderWorkStore, "get" | "putItem">;
  readonly outbox: Pick<OutboxStore, "addItem">;
}

/** A change of an appointment; without `before` the appointment is new. */
export interface AppointmentChange {
  readonly before?: AppointmentRecord | undefined;
  readonly after: AppointmentRecord;
  /** For a booking that awaits confirmation: when to request it, and when the booking expires, ISO 8601. */
  readonly waits?: { readonly until: string; readonly deadline: string } | undefined;
}

/** Writes of changed appointments, and the tasks to schedule. */
export interface AppointmentWrites {
  readonly items: readonly WriteItem[];
  readonly work: readonly OrderWork[];
}

/** Order and user of the appointments; `at` is ISO 8601. */
interface Written {
  readonly scope: TeamScope;
  readonly order: Order;
  readonly user: UserRecord;
  readonly at: string;
}

/** Finds the current or last appointment of an order. */
export async function presentAppointment(
  scope: TeamScope,
  order: Order,
  appointments: Pick<AppointmentStore, "get">,
): Promise<AppointmentRecord | undefined> {
  const id = appointmentIdOf(order);
  return id === null ? undefined : appointments.get(scope, order.id, id);
}

/** The fields of an appointment that its order follows. */
export const newsOf = ({ id, event_status, start_at }: Appointment): AppointmentNews => ({
  id,
  event_status: event_status as AppointmentStatus,
  start_at,
});

/** Writes of changed appointments: the appointments, their slots, and their events. */
export const changeItems = (
  { scope, user, at }: Omit<Written, "order">,
  changes: readonly AppointmentChange[],
  uses: Omit<AppointmentUses, "orderWork">,
): WriteItem[] =>
  changes.flatMap(({ before, after }) => [
    uses.appointments.putItem(scope, after),
    ...slotItems(before, after, uses.slots),
    ...appointmentEvents(before?.appointment, after.appointment, user).map((event) => uses.outbox.addItem(event, at)),
  ]);

/**
 * {@link changeItems} plus the task that notifies the appointment partners. Write the items with a change of the order,
 * whose revision is the condition for all of them.
 */
export async function appointmentWrites(
  written: Written,
  changes: readonly AppointmentChange[],
  uses: AppointmentUses,
): Promise<AppointmentWrites> {
  if (changes.length === 0) return { items: [], work: [] };
  const { scope, order, at } = written;
  const items = changeItems(written, changes, uses);
  const earlier = await uses.orderWork.get(scope, order.id, "visit");
  const work = visitWork(order, changes, earlier?.work.kind === "visit" ? earlier.work : undefined, at);
  return { items: [...items, uses.orderWork.putItem(scope, work)], work: [work] };
}

function slotItems(
  before: AppointmentRecord | undefined,
  after: AppointmentRecord,
  slots: AppointmentUses["slots"],
): WriteItem[] {
  const [held, wanted] = [before && slotOf(before), slotOf(after)];
  if (held && wanted && isSameTime(held, wanted)) return [];
  if ((held || wanted) && !slots) throw new Error("an appointment change without a slot store");
  return [...(held ? [slots!.freeItem(held)] : []), ...(wanted ? [slots!.takeItem(wanted)] : [])];
}

const isSameTime = (one: HeldSlot, other: HeldSlot) =>
  one.start_at === other.start_at && one.place === other.place && one.provider === other.provider;

/**
 * The task that notifies the partners of these appointments and of those still to notify. A reservation is not yet sent
 * to its partner, so its task is due when the reservation expires.
 */
function visitWork(
  order: Order,
  changes: readonly AppointmentChange[],
  earlier: VisitWork | undefined,
  at: string,
): OrderWork {
  const ids = changes.map(({ after }) => after.appointment.id);
  const appointment_ids = [...new Set([...(earlier?.appointment_ids ?? []), ...ids])];
  const { after, waits } = changes.at(-1)!;
  const isReserved = isOpen(after.appointment) && after.appointment.event_status === "reserved";
  const dueAt = isReserved ? new Date(reservationEndMs(after.appointment)).toISOString() : (waits?.until ?? at);
  return planWork(order, { kind: "visit", appointment_ids, deadline: waits?.deadline ?? null }, dueAt);
}
