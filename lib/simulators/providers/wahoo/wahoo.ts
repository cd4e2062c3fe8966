import { DAY_MS } from "../../demo/zone-days.ts";
import type { DataChange, ProviderDesk, ProviderRules } from "../frame/provider-desk.ts";
import type { Attempt } from "../frame/pushes.ts";
import { remaining, type WindowState } from "../frame/rate-limits.ts";
import type { SimulatedReply } from "../frame/simulated-http.ts";
import { wahooRoutes, workoutSummary } from "./wahoo-routes.ts";
import { wahooTruth, wahooUserId } from "./wahoo-truth.ts";

const refused = (status: number, error: string): SimulatedReply => ({ status, body: { error } });

/** Token in push bodies that authenticates them; configured in Wahoo's developer portal. */
const WEBHOOK_TOKEN = "tributary-local-webhook-token";

/** Wahoo Cloud API, as published at https://cloud-api.wahooligan.com. */
export const wahoo: ProviderRules = {
  slug: "wahoo",
  oauth: {
    authorize: "api.wahooligan.com/oauth/authorize",
    token: "api.wahooligan.com/oauth/token",
    clientAuthentication: ["body"],
    pkce: "allowed",
    scopes: ["email", "user_read", "workouts_read", "power_zones_read", "routes_read", "offline_data"],
    scopeSeparator: " ",
    codeSeconds: 600,
    accessSeconds: 7_200,
    refresh: "rotates",
    refreshSeconds: null,
  },
  limits: [
    { seconds: 300, most: 200, of: "application" },
    { seconds: 3_600, most: 1_000, of: "application" },
    { seconds: 86_400, most: 5_000, of: "application" },
  ],
  pushes: { retrySeconds: [1_800, 14_400, 86_400, 259_200], timeoutSeconds: 30 },
  routes: wahooRoutes,
  unauthorized: () => refused(401, "invalid_token"),
  forbidden: () => refused(403, "insufficient_scope"),
  tooMany: () => refused(429, "rate limit exceeded"),
  limitHeaders: (windows) => {
    const joined = (part: (window: WindowState) => number) => windows.map(part).join(", ");
    return {
      "x-ratelimit-limit": joined(({ most }) => most),
      "x-ratelimit-remaining": joined(remaining),
      "x-ratelimit-reset": joined(({ resetSeconds }) => resetSeconds),
    };
  },
  truth: wahooTruth,
  notify,
};

/** Pushes the workout summary with the webhook token in the body. */
async function notify(desk: ProviderDesk, { account, date }: DataChange): Promise<Attempt[]> {
  const plan = desk.plan(account);
  const day = plan.day(Date.parse(date) / DAY_MS);
  if (!day.workout) return [];
  const body = JSON.stringify({
    event_type: "workout_summary",
    webhook_token: WEBHOOK_TOKEN,
    user: { id: wahooUserId(account) },
    workout_summary: workoutSummary(plan, { day, workout: day.workout }, true),
  });
  return desk.tell("", { headers: { "content-type": "application/json" }, body });
}
