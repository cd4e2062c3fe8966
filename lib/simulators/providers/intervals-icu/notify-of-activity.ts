import { DAY_MS } from "../../../domain/shared/durations.ts";
import type { Attempt } from "../base/push-sender.ts";
import type { DataChange, SimulatedProvider } from "../base/simulated-provider.ts";
import { toActivity } from "./activity.ts";
import { athleteId } from "./expected-diary.ts";

/** The secret that the owner of the application sees on the provider's page. */
const WEBHOOK_SECRET = "tributary-local-webhook-secret";

/** Pushes an event of the given kind, such as `ACTIVITY_UPLOADED`, about the activity of a day. */
export function notifyOfActivity(provider: SimulatedProvider, { account, kind, date }: DataChange): Promise<Attempt[]> {
  const person = provider.person(account);
  const day = person.day(Date.parse(date) / DAY_MS);
  const activity =
    day.workout && kind.startsWith("ACTIVITY") ? toActivity(person, { day, workout: day.workout }) : null;
  const timestamp = new Date(provider.now()).toISOString();
  const event = { athlete_id: athleteId(account), type: kind, timestamp, ...(activity ? { activity } : {}) };
  const body = JSON.stringify({ secret: WEBHOOK_SECRET, events: [event] });
  return provider.pushToSubscribers("", { headers: { "content-type": "application/json" }, body });
}
