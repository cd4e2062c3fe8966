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

/** What writing appointments takes. */
export interface AppointmentUses {
  readonly appointments: Pick<AppointmentStore, "get" | "putItem">;
  /** Absent where no change takes a time or gives one back. */
  readonly slots?: Pick<SlotStore, "takeItem" | "freeItem">;
  readonly orderWork: Pick<OrderWorkStore, "get" | "putItem">;
  readonly outbox: Pick<OutboxStore, "addItem">;
}

/** What becomes of an appointment; without `before` it is new. */
export interface AppointmentChange {
  readonly before?: AppointmentRecord | undefined;
  readonly after: AppointmentRecord;
  /** Of a booking that waits for its confirmation: when that is asked for and when it is given up, ISO 8601. */
  readonly waits?: { readonly until: string; readonly deadline: string } | undefined;
}

/** Writes of a change of appointments, and the work that they leave. */
export interface AppointmentWrites {
  readonly items: readonly WriteItem[];
  readonly work: readonly OrderWork[];
}

/** Whose appointments are written, and when (ISO 8601). */
interface Written {
  readonly scope: TeamScope;
  readonly order: Order;
  readonly user: UserRecord;
  readonly at: string;
}

/** The appointment that an order has now, or had last. */
export async function presentAppointment(
  scope: TeamScope,
  order: Order,
  appointments: Pick<AppointmentStore, "get">,
): Promise<AppointmentRecord | undefined> {
  const id = appointmentIdOf(order);
  return id === null ? undefined : appointments.get(scope, order.id, id);
}

/** What an order is told of its appointment. */
export const newsOf = ({ id, event_status, start_at }: Appointment): AppointmentNews => ({
  id,
  event_status: event_status as AppointmentStatus,
  start_at,
});

/** The writes of changed appointments: these, the times that they take or give back, and their events. */
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
 * {@link changeItems} with the work of telling whoever gives these appointments. To be written with a change of the order,
 * whose revision is the condition for all of it.
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
  if ((held || wanted) && !slots) throw new Error("a time that can not be taken or given back");
  return [...(held ? [slots!.freeItem(held)] : []), ...(wanted ? [slots!.takeItem(wanted)] : [])];
}

const isSameTime = (one: HeldSlot, other: HeldSlot) =>
  one.start_at === other.start_at && one.place === other.place && one.provider === other.provider;

/** Telling whoever gives these appointments, and those that are still to be told of; a reservation only ends one day. */
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
