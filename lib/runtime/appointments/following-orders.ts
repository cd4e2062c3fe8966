import { agreeing } from "../../domain/appointments/agreement.ts";
import { followAppointment } from "../../domain/orders/following.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import { levelOf } from "../../domain/orders/order-status.ts";
import type { OrderWork } from "../../domain/orders/order-work.ts";
import type { UserRecord } from "../../domain/user.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { OrderChange } from "../changing-orders.ts";
import { type AppointmentUses, appointmentWrites, newsOf, presentAppointment } from "./appointment-writes.ts";

/** An order that changes, with its user; `at` is ISO 8601. */
export interface ChangingOrder {
  readonly scope: TeamScope;
  readonly record: OrderRecord;
  readonly user: UserRecord;
  readonly at: string;
}

/** A change of an order and its appointment, and the tasks to schedule. */
export interface AgreedChange {
  readonly change: OrderChange;
  readonly work: readonly OrderWork[];
}

/**
 * Extends a change of an order by the change of its appointment that the new statuses imply. Every order change passes
 * through here, so that order and appointment stay consistent. A reserved appointment takes effect when the order gets
 * its requisition.
 */
export async function withAppointment(
  { scope, record, user, at }: ChangingOrder,
  change: OrderChange,
  uses: AppointmentUses,
): Promise<AgreedChange> {
  const after = change.order ?? record.order;
  const levels = after.events.slice(record.order.events.length).map(({ status }) => levelOf(status));
  const before = levels.length === 0 ? undefined : await presentAppointment(scope, after, uses.appointments);
  if (!before) return { change, work: [] };
  const appointment = levels.reduce((moved, level) => agreeing(moved, level, at), before.appointment);
  const isChanged = appointment !== before.appointment;
  const changes = isChanged ? [{ before, after: { ...before, appointment } }] : [];
  const order = levels.includes("requisition_created") ? followAppointment(after, newsOf(appointment), at) : after;
  const { items, work } = await appointmentWrites({ scope, order, user, at }, changes, uses);
  return { change: { ...change, order, items: [...(change.items ?? []), ...items] }, work };
}
