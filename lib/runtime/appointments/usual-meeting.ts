import { type MeetingPlace, meetingTypeOf } from "../../domain/appointments/appointment-record.ts";
import type { Order } from "../../domain/orders/order-move.ts";
import { atHome } from "./at-home.ts";
import { atSites } from "./at-sites.ts";

/** Where a simulated order has its appointments; undefined for one that has none by way of this service. */
export async function usualMeeting(order: Order): Promise<MeetingPlace | undefined> {
  const type = meetingTypeOf(order);
  const kind = [atHome, atSites].find((one) => one.type === type);
  return kind?.usualOf(order);
}
