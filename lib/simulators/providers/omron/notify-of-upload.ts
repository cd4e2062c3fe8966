import { DAY_MS } from "../../../domain/shared/durations.ts";
import type { Attempt } from "../base/push-sender.ts";
import type { DataChange, SimulatedProvider } from "../base/simulated-provider.ts";
import { listCuffReadings, omronUserId } from "./omron-expected-records.ts";

/** Tells the application that a user has uploaded the reading of a day. The form is not signed. */
export function notifyOfUpload(provider: SimulatedProvider, { account, date }: DataChange): Promise<Attempt[]> {
  const person = provider.person(account);
  const [reading] = listCuffReadings(person, [person.day(Date.parse(date) / DAY_MS)], provider.now());
  const timestamp = new Date(reading?.atMs ?? Date.parse(date)).toISOString().replace(".000", "");
  const body = new URLSearchParams({ id: omronUserId(account), timestamp }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return provider.pushToSubscribers("", { headers, body });
}
