import type { MeetingPlace } from "../../domain/appointments/appointment-record.ts";
import type { ServedPlace } from "../../domain/appointments/booking-key.ts";
import type { SlotKind } from "../../domain/appointments/slots.ts";
import type { Order } from "../../domain/orders/order-move.ts";

/** The area where an order's sample can be collected by appointment. */
export interface Served extends ServedPlace {
  /** The venue of a place within the area. */
  readonly meetingAt: (provider: string, place: string) => MeetingPlace;
}

/** A kind of appointment: home visit or patient service center. */
export interface MeetingKind {
  readonly type: SlotKind;
  /** Finds the service area of an order. @throws NotPossible if no provider serves the order this way. */
  readonly servedOf: (order: Order) => Promise<Served>;
  /** The venue for a simulated order; undefined if no provider serves it. */
  readonly usualOf: (order: Order) => Promise<MeetingPlace | undefined>;
}
