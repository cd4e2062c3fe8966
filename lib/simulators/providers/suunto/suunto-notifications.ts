import { createHmac } from "node:crypto";
import { DAY_MS } from "../../../domain/shared/durations.ts";
import type { Attempt } from "../base/push-sender.ts";
import type { DataChange, SimulatedProvider } from "../base/simulated-provider.ts";
import { listActivitySamples, type SuuntoSample, toSleepSample } from "./suunto-samples.ts";
import { gear, toWorkout } from "./suunto-workouts.ts";

/** The secret of notifications, from Suunto's page. */
const NOTIFICATION_SECRET = "tributary-local-notification-secret";

/** Pushes the samples of a day (kinds `sleep` and `activity`) or its workout. Deletions are not announced. */
export async function notifySuunto(
  provider: SimulatedProvider,
  { account, kind, date, change }: DataChange,
): Promise<readonly Attempt[]> {
  const content = change === "delete" ? undefined : createContent(provider, account, kind, date);
  if (!content) return [];
  const body = JSON.stringify({ ...content, username: account });
  const headers = {
    "content-type": "application/json",
    "x-hmac-sha256-signature": createHmac("sha256", NOTIFICATION_SECRET).update(body).digest("hex"),
  };
  return provider.pushToSubscribers("", { headers, body });
}

function createContent(provider: SimulatedProvider, account: string, kind: string, date: string): object | undefined {
  const person = provider.person(account);
  const day = person.day(Date.parse(date) / DAY_MS);
  const samples = (all: readonly SuuntoSample[]) => all.map(({ atMs: _, ...sample }) => sample);
  if (kind === "sleep") return { type: "SUUNTO_247_SLEEP_CREATED", samples: samples([toSleepSample(person, day)]) };
  if (kind === "activity")
    return { type: "SUUNTO_247_ACTIVITY_CREATED", samples: samples(listActivitySamples(person, day, provider.now())) };
  const { workout } = day;
  return workout && { type: "WORKOUT_CREATED", workout: toWorkout(person, { day, workout }), gear };
}
