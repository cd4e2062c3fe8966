import { createHmac } from "node:crypto";
import { DAY_MS } from "../../../domain/shared/durations.ts";
import { CLIENT_ID, CLIENT_SECRET } from "../base/application.ts";
import type { Attempt } from "../base/push-sender.ts";
import type { DataChange, SimulatedProvider } from "../base/simulated-provider.ts";
import { rideWithGpsUserId, tripId } from "./expected-trips.ts";

const actions = { create: "created", update: "updated", delete: "deleted" } as const;

/** Pushes a change of the trip of a day to the URL of the application. The provider never repeats a push. */
export function notifyOfTrip(
  provider: SimulatedProvider,
  { account, kind, date, change }: DataChange,
): Promise<Attempt[]> {
  const person = provider.person(account);
  const [user_id, item_id] = [rideWithGpsUserId(account), tripId(person, person.day(Date.parse(date) / DAY_MS))];
  const item_url = `https://ridewithgps.com/${kind}s/${item_id}.json`;
  const item = { item_type: kind, item_id, item_user_id: user_id, item_url };
  const notifications = [{ user_id, ...item, action: actions[change], collection: null }];
  const body = JSON.stringify({ notifications });
  const headers = {
    "content-type": "application/json",
    "user-agent": "RideWithGPS",
    "x-rwgps-api-key": CLIENT_ID,
    "x-rwgps-signature": createHmac("sha256", CLIENT_SECRET).update(body).digest("hex"),
  };
  return provider.pushToSubscribers("", { headers, body });
}
