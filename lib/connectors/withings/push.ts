import * as z from "zod";
import { DAY_MS } from "../../domain/shared/durations.ts";
import type { Push, PushDescription, TimeWindow } from "../connector.ts";
import type { ProviderClient } from "../provider-client.ts";
import { ignoreRefusal } from "../provider-error.ts";
import { hasPushKey } from "../push-key.ts";
import { padDate } from "../window-dates.ts";
import * as replies from "./replies.ts";

/** Resources to pull, by the notification category (`appli`). */
const resourcesByAppli: Readonly<Record<string, readonly string[]>> = {
  1: ["body"],
  2: ["body"],
  4: ["body"],
  16: ["activity", "workouts"],
  44: ["sleep"],
  54: ["body"],
};
/** Subscribed categories: weight, temperature, blood pressure and oxygen, activity, sleep. */
const SUBSCRIBED_APPLIS = ["1", "2", "4", "16", "44"] as const;

const seconds = z.string().regex(/^\d{1,12}$/);
const form = z.object({
  userid: z.string().min(1),
  appli: z.string(),
  startdate: seconds.optional(),
  enddate: seconds.optional(),
  date: z.string().transform(padDate).pipe(z.iso.date()).optional(),
});

/** The changed window: between two instants, or a local date. */
function toWindow({ startdate, enddate, date }: z.output<typeof form>): TimeWindow | undefined {
  if (date !== undefined) return { startMs: Date.parse(date), endMs: Date.parse(date) + DAY_MS };
  if (startdate === undefined || enddate === undefined) return undefined;
  return { startMs: Number(startdate) * 1000, endMs: Number(enddate) * 1000 + 1000 };
}

/** Withings requires subscriptions per user and does not sign pushes; the callback URL carries the push key. */
export const withingsPush: PushDescription = {
  verify: (request, app) => hasPushKey(request, app, "withings"),
  parse({ body }): Push[] {
    const pushed = form.parse(Object.fromEntries(new URLSearchParams(body)));
    const window = toWindow(pushed);
    if (!window) return [];
    const names = resourcesByAppli[pushed.appli] ?? [];
    return names.map((resource) => ({ accountId: pushed.userid, changed: { resource, window } }));
  },
  async subscribe(client: ProviderClient, callbackurl: string) {
    for (const appli of SUBSCRIBED_APPLIS) {
      const form = { action: "subscribe", callbackurl, appli };
      await ignoreRefusal(client.post("https://wbsapi.withings.net/notify", replies.successResponse, form));
    }
  },
};
