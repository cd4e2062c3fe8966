import { type MeetingPlace, meetingTypeOf } from "../../domain/appointments/appointment-record.ts";
import type { Order } from "../../domain/orders/order-move.ts";
import { atHome } from "./at-home.ts";
import { atSites } from "./at-sites.ts";

/** Finds the venue for the appointments of a simulated order; undefined if this service books none for it. */
export async function usualMeeting(order: Order): Promise<MeetingPlace | undefined> {
  const type = meetingTypeOf(order);
  const kind = [atHome, atSites].find((one) => one.type === type);
  return kind?.usualOf(order);
}
