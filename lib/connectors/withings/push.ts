import * as z from "zod";
import type { Push, PushDescription, Window } from "../connector.ts";
import { unlessRefused } from "../provider-error.ts";
import type { ProviderClient } from "../provider-http.ts";
import { hasPushKey } from "../push-key.ts";
import * as replies from "./replies.ts";

const DAY_MS = 86_400_000;

/** Resources to pull, by the notification category (`appli`). */
const resources: Readonly<Record<string, readonly string[]>> = {
  1: ["body"],
  2: ["body"],
  4: ["body"],
  16: ["activity", "workouts"],
  44: ["sleep"],
  54: ["body"],
};
/** Subscribed categories: weight, temperature, blood pressure and oxygen, activity, sleep. */
const SUBSCRIBED = ["1", "2", "4", "16", "44"] as const;

const seconds = z.string().regex(/^\d{1,12}$/);
const form = z.object({
  userid: z.string().min(1),
  appli: z.string(),
  startdate: seconds.optional(),
  enddate: seconds.optional(),
  date: z.iso.date().optional(),
});

/** The changed window: between two instants, or a local date. */
function windowOf({ startdate, enddate, date }: z.output<typeof form>): Window | undefined {
  if (date !== undefined) return { startMs: Date.parse(date), endMs: Date.parse(date) + DAY_MS };
  if (startdate === undefined || enddate === undefined) return undefined;
  return { startMs: Number(startdate) * 1000, endMs: Number(enddate) * 1000 + 1000 };
}

/** Withings requires subscriptions per user and does not sign pushes; the callback URL carries the push key. */
export const push: PushDescription = {
  verify: (request, app) => hasPushKey(request, app, "withings"),
  parse({ body }): Push[] {
    const pushed = form.parse(Object.fromEntries(new URLSearchParams(body)));
    const window = windowOf(pushed);
    if (!window) return [];
    const names = resources[pushed.appli] ?? [];
    return names.map((resource) => ({ accountId: pushed.userid, changed: { resource, window } }));
  },
  async subscribe(client: ProviderClient, callbackurl: string) {
    for (const appli of SUBSCRIBED) {
      const form = { action: "subscribe", callbackurl, appli };
      await unlessRefused(client.post("https://wbsapi.withings.net/notify", replies.done, form));
    }
  },
};
