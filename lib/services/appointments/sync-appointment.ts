import { deleteItem, getItem, grants } from "../../contract/access.ts";
import { appointments, orderWork, slots } from "../../contract/resources.ts";
import { applyOrderStatus } from "../../domain/appointments/apply-order-status.ts";
import type { OrderTask } from "../../domain/lab-work/order-task.ts";
import { applyAppointmentUpdate } from "../../domain/orders/lifecycle/apply-updates.ts";
import { lowLevelStatusOf } from "../../domain/orders/lifecycle/order-status.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { OrderChange } from "../orders/change-order.ts";
import {
  type AppointmentWritesDependencies,
  appointmentWritesAccess,
  findCurrentAppointment,
  planAppointmentWrites,
  toAppointmentUpdate,
} from "./appointment-writes.ts";

/** An order that changes, with its user; `at` is ISO 8601. */
export interface OrderChangeContext {
  readonly scope: TeamScope;
  readonly record: OrderRecord;
  readonly user: UserRecord;
  readonly at: string;
}

/** A change of an order and its appointment, and the tasks to schedule. */
export interface OrderChangePlan {
  readonly change: OrderChange;
  readonly tasks: readonly OrderTask[];
}

/** Grants of {@link syncAppointment}, which may free a slot. */
export const syncAppointmentAccess = grants(
  getItem(orderWork),
  getItem(appointments),
  deleteItem(slots),
  appointmentWritesAccess,
);

/**
 * Extends a change of an order by the change of its appointment that the new statuses imply. Every order change passes
 * through here, so that order and appointment stay consistent. A reserved appointment takes effect when the order gets
 * its requisition.
 */
export async function syncAppointment(
  { scope, record, user, at }: OrderChangeContext,
  change: OrderChange,
  deps: AppointmentWritesDependencies,
): Promise<OrderChangePlan> {
  const after = change.order ?? record.order;
  const levels = after.events.slice(record.order.events.length).map(({ status }) => lowLevelStatusOf(status));
  const before = levels.length === 0 ? undefined : await findCurrentAppointment(scope, after, deps.appointments);
  if (!before) return { change, tasks: [] };
  const appointment = levels.reduce((moved, level) => applyOrderStatus(moved, level, at), before.appointment);
  const isChanged = appointment !== before.appointment;
  const changes = isChanged ? [{ before, after: { ...before, appointment } }] : [];
  const order = levels.includes("requisition_created")
    ? applyAppointmentUpdate(after, toAppointmentUpdate(appointment), at)
    : after;
  const { items, tasks } = await planAppointmentWrites({ scope, order, user, at }, changes, deps);
  return { change: { ...change, order, items: [...(change.items ?? []), ...items] }, tasks };
}
