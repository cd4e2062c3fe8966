import type { MeetingPlace } from "../../domain/appointments/appointment-record.ts";
import type { ServedPlace } from "../../domain/appointments/booking-key.ts";
import type { SlotKind } from "../../domain/appointments/slots.ts";
import type { Order } from "../../domain/orders/order-move.ts";

/** Where an order's sample can be taken by appointment. */
export interface Served extends ServedPlace {
  /** The meeting at a place that serves the order. */
  readonly meetingAt: (provider: string, place: string) => MeetingPlace;
}

/** A kind of appointment. */
export interface MeetingKind {
  readonly type: SlotKind;
  /** Where the sample of an order can be taken. @throws NotPossible where nobody takes it so. */
  readonly servedOf: (order: Order) => Promise<Served>;
  /** Where a simulated order has its appointment; undefined where none is given. */
  readonly usualOf: (order: Order) => Promise<MeetingPlace | undefined>;
}
