import { getItem, putItem } from "../../contract/access.ts";
import { appointments, orderWork, outbox } from "../../contract/resources.ts";
import { type Appointment, reservationExpiryMs } from "../../domain/appointments/appointment.ts";
import {
  type AppointmentRecord,
  appointmentIdOf,
  type HeldSlot,
  heldSlotOf,
  isOpenAppointment,
} from "../../domain/appointments/appointment-record.ts";
import type { AppointmentTask, OrderTask } from "../../domain/lab-work/order-task.ts";
import type { AppointmentUpdate } from "../../domain/orders/lifecycle/apply-updates.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import { appointmentEvents } from "../../events/constructors/appointment-events.ts";
import type { AppointmentStore } from "../../store/appointments/appointments.ts";
import type { SlotStore } from "../../store/appointments/slots.ts";
import type { OutboxStore } from "../../store/events/outbox.ts";
import type { OrderTaskStore } from "../../store/lab-work/order-tasks.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import { planOrderTask } from "../orders/plan-new-order.ts";

/** Dependencies of appointment writes. */
export type AppointmentWritesDependencies = {
  readonly appointments: Pick<AppointmentStore, "get" | "putItem"> /** Absent if no change reserves or frees a slot. */;
  readonly slots?: Pick<SlotStore, "reserveItem" | "releaseItem">;
  readonly orderWork: Pick<OrderTaskStore, "get" | "putItem">;
  readonly outbox: Pick<OutboxStore, "appendItem">;
};

/** Grants of {@link planAppointmentWrites}, besides those to reserve or free a slot. */
export const appointmentWritesAccess = [
  getItem(appointments),
  putItem(appointments),
  getItem(orderWork),
  putItem(orderWork),
  putItem(outbox),
] as const;

/** A change of an appointment; without `before` the appointment is new. */
export interface AppointmentChange {
  readonly before?: AppointmentRecord | undefined;
  readonly after: AppointmentRecord;
  /** For a booking that awaits confirmation: when to request it, and when the booking expires, ISO 8601. */
  readonly confirmation?: { readonly until: string; readonly deadline: string } | undefined;
}

/** Writes of changed appointments, and the tasks to schedule. */
export interface AppointmentWrites {
  readonly items: readonly WriteItem[];
  readonly tasks: readonly OrderTask[];
}

/** Order and user of the appointments; `at` is ISO 8601. */
interface WriteContext {
  readonly scope: TeamScope;
  readonly order: Order;
  readonly user: UserRecord;
  readonly at: string;
}

/** Finds the current or last appointment of an order. */
export async function findCurrentAppointment(
  scope: TeamScope,
  order: Order,
  appointments: Pick<AppointmentStore, "get">,
): Promise<AppointmentRecord | undefined> {
  const id = appointmentIdOf(order);
  return id === null ? undefined : appointments.get(scope, order.id, id);
}

/** The fields of an appointment that its order follows. */
export const toAppointmentUpdate = ({ id, event_status, start_at, iana_timezone }: Appointment): AppointmentUpdate => ({
  id,
  event_status,
  start_at,
  iana_timezone,
});

/** Writes of changed appointments: the appointments, their slots, and their events. */
export const appointmentChangeItems = (
  { scope, user, at }: Omit<WriteContext, "order">,
  changes: readonly AppointmentChange[],
  deps: Omit<AppointmentWritesDependencies, "orderWork">,
): WriteItem[] =>
  changes.flatMap(({ before, after }) => [
    deps.appointments.putItem(scope, after),
    ...slotItems(before, after, deps.slots),
    ...appointmentEvents(before?.appointment, after.appointment, user).map((event) =>
      deps.outbox.appendItem(event, at),
    ),
  ]);

/**
 * {@link appointmentChangeItems} plus the task that notifies the appointment partners. Write the items with a change of the order,
 * whose revision is the condition for all of them.
 */
export async function planAppointmentWrites(
  written: WriteContext,
  changes: readonly AppointmentChange[],
  deps: AppointmentWritesDependencies,
): Promise<AppointmentWrites> {
  if (changes.length === 0) return { items: [], tasks: [] };
  const { scope, order, at } = written;
  const items = appointmentChangeItems(written, changes, deps);
  const earlier = await deps.orderWork.get(scope, order.id, "visit");
  const work = planAppointmentTask(order, changes, earlier?.work.kind === "visit" ? earlier.work : undefined, at);
  return { items: [...items, deps.orderWork.putItem(scope, work)], tasks: [work] };
}

function slotItems(
  before: AppointmentRecord | undefined,
  after: AppointmentRecord,
  slots: AppointmentWritesDependencies["slots"],
): WriteItem[] {
  const [held, wanted] = [before && heldSlotOf(before), heldSlotOf(after)];
  if (held && wanted && isSameTime(held, wanted)) return [];
  if ((held || wanted) && !slots) throw new Error("an appointment change without a slot store");
  return [...(held ? [slots!.releaseItem(held)] : []), ...(wanted ? [slots!.reserveItem(wanted)] : [])];
}

const isSameTime = (one: HeldSlot, other: HeldSlot) =>
  one.start_at === other.start_at && one.place === other.place && one.provider === other.provider;

/**
 * The task that notifies the partners of these appointments and of those still to notify. A reservation is not yet sent
 * to its partner, so its task is due when the reservation expires.
 */
function planAppointmentTask(
  order: Order,
  changes: readonly AppointmentChange[],
  earlier: AppointmentTask | undefined,
  at: string,
): OrderTask {
  const ids = changes.map(({ after }) => after.appointment.id);
  const appointment_ids = [...new Set([...(earlier?.appointment_ids ?? []), ...ids])];
  const { after, confirmation } = changes.at(-1)!;
  const isReserved = isOpenAppointment(after.appointment) && after.appointment.event_status === "reserved";
  const dueAt = isReserved
    ? new Date(reservationExpiryMs(after.appointment)).toISOString()
    : (confirmation?.until ?? at);
  return planOrderTask(order, { kind: "visit", appointment_ids, deadline: confirmation?.deadline ?? null }, dueAt);
}
