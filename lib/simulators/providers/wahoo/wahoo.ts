import { DAY_MS } from "../../../domain/shared/durations.ts";
import type { Attempt } from "../base/push-sender.ts";
import { type RateLimitState, remainingRequests } from "../base/rate-limiter.ts";
import type { SimulatedReply } from "../base/simulated-http.ts";
import type { DataChange, ProviderDefinition, SimulatedProvider } from "../base/simulated-provider.ts";
import { expectedWahooRecords, wahooUserId } from "./wahoo-expected-records.ts";
import { toWorkoutSummary, wahooRoutes } from "./wahoo-routes.ts";

const errorReply = (status: number, error: string): SimulatedReply => ({ status, body: { error } });

/** Token in push bodies that authenticates them; configured in Wahoo's developer portal. */
const WEBHOOK_TOKEN = "tributary-local-webhook-token";

/** Wahoo Cloud API, as published at https://cloud-api.wahooligan.com. */
export const wahooDefinition: ProviderDefinition = {
  slug: "wahoo",
  oauth: {
    authorizationEndpoint: "api.wahooligan.com/oauth/authorize",
    tokenEndpoint: "api.wahooligan.com/oauth/token",
    clientAuthentication: ["body"],
    pkce: "allowed",
    scopes: ["email", "user_read", "workouts_read", "power_zones_read", "routes_read", "offline_data"],
    scopeSeparator: " ",
    codeSeconds: 600,
    accessSeconds: 7_200,
    refresh: "rotates",
    refreshSeconds: null,
  },
  rateLimits: [
    { seconds: 300, limit: 200, scope: "application" },
    { seconds: 3_600, limit: 1_000, scope: "application" },
    { seconds: 86_400, limit: 5_000, scope: "application" },
  ],
  pushPolicy: { retrySeconds: [1_800, 14_400, 86_400, 259_200], timeoutSeconds: 30 },
  routes: wahooRoutes,
  unauthorized: () => errorReply(401, "invalid_token"),
  forbidden: () => errorReply(403, "insufficient_scope"),
  tooManyRequests: () => errorReply(429, "rate limit exceeded"),
  rateLimitHeaders: (windows) => {
    const joined = (part: (window: RateLimitState) => number) => windows.map(part).join(", ");
    return {
      "x-ratelimit-limit": joined(({ limit }) => limit),
      "x-ratelimit-remaining": joined(remainingRequests),
      "x-ratelimit-reset": joined(({ resetSeconds }) => resetSeconds),
    };
  },
  expectedRecords: expectedWahooRecords,
  notify: notifyWahoo,
};

/** Pushes the workout summary with the webhook token in the body. */
async function notifyWahoo(provider: SimulatedProvider, { account, date }: DataChange): Promise<Attempt[]> {
  const person = provider.person(account);
  const day = person.day(Date.parse(date) / DAY_MS);
  if (!day.workout) return [];
  const body = JSON.stringify({
    event_type: "workout_summary",
    webhook_token: WEBHOOK_TOKEN,
    user: { id: wahooUserId(account) },
    workout_summary: toWorkoutSummary(person, { day, workout: day.workout }, true),
  });
  return provider.pushToSubscribers("", { headers: { "content-type": "application/json" }, body });
}
