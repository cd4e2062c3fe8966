import type { BookableVenue } from "../../domain/appointments/appointment-record.ts";
import type { ServiceArea } from "../../domain/appointments/booking-key.ts";
import type { CancellationReason } from "../../domain/appointments/cancellation-reasons.ts";
import type { SlotKind } from "../../domain/appointments/slots.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";

/** The area where an order's sample can be collected by appointment. */
export interface OrderServiceArea extends ServiceArea {
  /** The venue of a place within the area. */
  readonly venueAt: (provider: string, place: string) => BookableVenue;
}

/** A kind of appointment: home visit or patient service center. */
export interface AppointmentKind {
  readonly type: SlotKind;
  /** Reasons for a cancellation, and the request field that names one. */
  readonly cancellation: { readonly reasons: readonly CancellationReason[]; readonly field: string };
  /** Finds the service area of an order. @throws NotPossible if no provider serves the order this way. */
  readonly findServiceArea: (order: Order) => Promise<OrderServiceArea>;
  /** The venue for a simulated order; undefined if no provider serves it. */
  readonly findVenue: (order: Order) => Promise<BookableVenue | undefined>;
}
