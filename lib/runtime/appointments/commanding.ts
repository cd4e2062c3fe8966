import type { Appointment } from "../../domain/appointments/appointment.ts";
import type { AppointmentRecord } from "../../domain/appointments/appointment-record.ts";
import type { FindVisitPartner } from "../../domain/appointments/visit-partner.ts";
import { followAppointment } from "../../domain/orders/following.ts";
import type { Order } from "../../domain/orders/order-move.ts";
import type { OrderWork } from "../../domain/orders/order-work.ts";
import type { OutboxStore } from "../../store/outbox.ts";
import type { SlotStore } from "../../store/slots.ts";
import type { WriteItem } from "../../store/transaction.ts";
import { asRefusal, type Changer, type OrderUses, planChange, untilUndisturbed } from "../changing-orders.ts";
import type { Log } from "../log.ts";
import type { Queue } from "../queue.ts";
import { startWork } from "../starting-work.ts";
import {
  type AppointmentChange,
  type AppointmentUses,
  appointmentWrites,
  newsOf,
  presentAppointment,
} from "./appointment-writes.ts";

/** Dependencies of appointment commands. */
export interface CommandUses extends OrderUses, AppointmentUses {
  readonly outbox: Pick<OutboxStore, "addItem">;
  readonly labWork: Pick<Queue, "send">;
}

/** {@link CommandUses} for commands that book a slot. */
export interface BookingUses extends CommandUses {
  readonly slots: SlotStore;
  readonly findVisitPartner: FindVisitPartner;
}

/** An order with its current or last appointment; `at` is the current time, ISO 8601. */
export interface Present {
  readonly order: Order;
  readonly present: AppointmentRecord | undefined;
  readonly at: string;
}

/** Decides on a change of an order's appointment. @throws AppointmentRefused, NotPossible, NotFound. */
export type Decide = (now: Present) => AppointmentChange | Promise<AppointmentChange>;

/** A change of an appointment that is not yet written. */
interface PlannedAppointment {
  readonly appointment: Appointment;
  readonly work: readonly OrderWork[];
  readonly write: (more?: readonly WriteItem[]) => Promise<void>;
}

/**
 * Plans a change of an order's appointment, and the order's own change that follows from it.
 * @throws NotFound; NotPossible if the current state of the appointment or order does not allow the command.
 */
export async function planAppointment(
  changer: Changer,
  orderId: string,
  uses: CommandUses,
  decide: Decide,
): Promise<PlannedAppointment> {
  const { scope } = changer;
  let decided: Omit<PlannedAppointment, "write"> | undefined;
  const { write } = await planChange(changer, orderId, uses, async ({ order }, at, user) => {
    const change = await decide({ order, present: await presentAppointment(scope, order, uses.appointments), at });
    const { appointment } = change.after;
    const { items, work } = await appointmentWrites({ scope, order, user, at }, [change], uses);
    decided = { appointment, work };
    return { order: followAppointment(order, newsOf(appointment), at), items };
  }).catch((error) => {
    throw asRefusal(error);
  });
  if (!decided) throw new Error("an appointment command without a decision");
  return { ...decided, write };
}

/** Changes the appointment of an order, and schedules its tasks. @throws as {@link planAppointment}. */
export async function commandAppointment(
  changer: Changer,
  orderId: string,
  uses: CommandUses,
  decide: Decide,
  log: Log,
): Promise<Appointment> {
  const { appointment, work } = await untilUndisturbed(async () => {
    const planned = await planAppointment(changer, orderId, uses, decide);
    await planned.write();
    return planned;
  });
  await startWork(uses.labWork, work, log);
  return appointment;
}
