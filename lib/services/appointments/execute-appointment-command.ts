import { getItem, grants, putItem, sendMessage } from "../../contract/access.ts";
import { labWork } from "../../contract/queues.ts";
import { slots } from "../../contract/resources.ts";
import type { Appointment } from "../../domain/appointments/appointment.ts";
import type { FindAppointmentPartner } from "../../domain/appointments/appointment-partner.ts";
import type { AppointmentRecord } from "../../domain/appointments/appointment-record.ts";
import type { OrderTask } from "../../domain/lab-work/order-task.ts";
import { applyAppointmentUpdate } from "../../domain/orders/lifecycle/apply-updates.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { Queue } from "../../runtime/aws/queue.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { Log } from "../../runtime/log.ts";
import type { OutboxStore } from "../../store/events/outbox.ts";
import type { WriteItem } from "../../store/transaction.ts";
import {
  type ChangeOrderDependencies,
  changeOrderAccess,
  type OrderActor,
  planOrderChange,
  retryOnConflict,
  toNotPossible,
} from "../orders/change-order.ts";
import { scheduleOrderTasks } from "../orders/schedule-order-tasks.ts";
import {
  type AppointmentChange,
  type AppointmentWritesDependencies,
  appointmentWritesAccess,
  findCurrentAppointment,
  planAppointmentWrites,
  toAppointmentUpdate,
} from "./appointment-writes.ts";

/** Dependencies of appointment commands. */
export type AppointmentCommandDependencies = ChangeOrderDependencies &
  AppointmentWritesDependencies & {
    readonly outbox: Pick<OutboxStore, "appendItem">;
    readonly labWork: Pick<Queue, "send">;
  };

/** Grants of {@link executeAppointmentCommand}, besides those to reserve or free a slot. */
export const appointmentCommandAccess = grants(changeOrderAccess, appointmentWritesAccess, sendMessage(labWork));

/** {@link AppointmentCommandDependencies} for commands that book a slot. */
export type BookingDependencies = AppointmentCommandDependencies &
  Dependencies<"slots"> & { readonly findVisitPartner: FindAppointmentPartner };

/** Grants of a command that books a slot. */
export const bookingAccess = grants(appointmentCommandAccess, getItem(slots), putItem(slots));

/** An order with its current or last appointment; `at` is the current time, ISO 8601. */
interface OrderAppointment {
  readonly order: Order;
  readonly current: AppointmentRecord | undefined;
  readonly at: string;
}

/** Decides on a change of an order's appointment. @throws AppointmentRefused, NotPossible, NotFound. */
export type DecideAppointment = (now: OrderAppointment) => AppointmentChange | Promise<AppointmentChange>;

/** A change of an appointment that is not yet written. */
interface PlannedAppointment {
  readonly appointment: Appointment;
  readonly tasks: readonly OrderTask[];
  readonly write: (more?: readonly WriteItem[]) => Promise<void>;
}

/**
 * Plans a change of an order's appointment, and the order's own change that follows from it.
 * @throws NotFound; NotPossible if the current state of the appointment or order does not allow the command.
 */
export async function planAppointmentChange(
  changer: OrderActor,
  orderId: string,
  deps: AppointmentCommandDependencies,
  decide: DecideAppointment,
): Promise<PlannedAppointment> {
  const { scope } = changer;
  let decided: Omit<PlannedAppointment, "write"> | undefined;
  const { write } = await planOrderChange(changer, orderId, deps, async ({ order }, at, user) => {
    const change = await decide({ order, current: await findCurrentAppointment(scope, order, deps.appointments), at });
    const { appointment } = change.after;
    const { items, tasks } = await planAppointmentWrites({ scope, order, user, at }, [change], deps);
    decided = { appointment, tasks };
    return { order: applyAppointmentUpdate(order, toAppointmentUpdate(appointment), at), items };
  }).catch((error) => {
    throw toNotPossible(error);
  });
  if (!decided) throw new Error("an appointment command without a decision");
  return { ...decided, write };
}

/** Changes the appointment of an order, and schedules its tasks. @throws as {@link planAppointmentChange}. */
export async function executeAppointmentCommand(
  changer: OrderActor,
  orderId: string,
  deps: AppointmentCommandDependencies,
  decide: DecideAppointment,
  log: Log,
): Promise<Appointment> {
  const { appointment, tasks } = await retryOnConflict(async () => {
    const planned = await planAppointmentChange(changer, orderId, deps, decide);
    await planned.write();
    return planned;
  });
  await scheduleOrderTasks(deps.labWork, tasks, log);
  return appointment;
}
