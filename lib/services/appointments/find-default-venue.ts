import { appointmentTypeOf, type BookableVenue } from "../../domain/appointments/appointment-record.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import { homeAppointments } from "./home-appointments.ts";
import { siteAppointments } from "./site-appointments.ts";

/** Finds the venue for the appointments of a simulated order; undefined if this service books none for it. */
export async function findDefaultVenue(order: Order): Promise<BookableVenue | undefined> {
  const type = appointmentTypeOf(order);
  const kind = [homeAppointments, siteAppointments].find((one) => one.type === type);
  return kind?.findVenue(order);
}
