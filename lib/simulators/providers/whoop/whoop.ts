import { createHmac } from "node:crypto";
import { CLIENT_SECRET } from "../base/application.ts";
import type { Attempt } from "../base/push-sender.ts";
import { remainingRequests } from "../base/rate-limiter.ts";
import type { DataChange, ProviderDefinition, SimulatedProvider } from "../base/simulated-provider.ts";
import { stableUuid } from "../base/stable-ids.ts";
import { whoopDataRoutes } from "./whoop-data.ts";
import { expectedWhoopRecords, whoopRecordId, whoopUserId } from "./whoop-expected-records.ts";

const AUTH = "api.prod.whoop.com/oauth/oauth2";

/** WHOOP API v2, as published at https://developer.whoop.com/api. */
export const whoopDefinition: ProviderDefinition = {
  slug: "whoop_v2",
  oauth: {
    authorizationEndpoint: `${AUTH}/auth`,
    tokenEndpoint: `${AUTH}/token`,
    clientAuthentication: ["body"],
    pkce: "none",
    scopes: [
      "offline",
      "read:profile",
      "read:body_measurement",
      "read:cycles",
      "read:recovery",
      "read:sleep",
      "read:workout",
    ],
    scopeSeparator: " ",
    returnsScopeInRedirect: true,
    minStateLength: 8,
    codeSeconds: 600,
    accessSeconds: 3_600,
    refresh: "rotates",
    refreshSeconds: null,
    refreshScope: "offline",
  },
  rateLimits: [
    { seconds: 60, limit: 100, scope: "application" },
    { seconds: 86_400, limit: 10_000, scope: "application" },
  ],
  pushPolicy: { retrySeconds: [60, 300, 900, 3_600, 3_600], timeoutSeconds: 1 },
  routes: whoopDataRoutes,
  unauthorized: () => ({ status: 401, body: "Authorization was not valid" }),
  forbidden: () => ({ status: 403, body: "The token does not have the scope" }),
  tooManyRequests: () => ({ status: 429, body: "Too many requests" }),
  rateLimitHeaders: ([minute, day]) => {
    if (!minute || !day) return {};
    const tightest = remainingRequests(minute) <= remainingRequests(day) ? minute : day;
    return {
      "x-ratelimit-limit": "100, 100;window=60, 10000;window=86400",
      "x-ratelimit-remaining": String(remainingRequests(tightest)),
      "x-ratelimit-reset": String(tightest.resetSeconds),
    };
  },
  expectedRecords: expectedWhoopRecords,
  notify: notifyWhoop,
};

/** Pushes the changed record. A recovery has the id of its sleep. */
async function notifyWhoop(
  provider: SimulatedProvider,
  { account, kind, date, change }: DataChange,
): Promise<Attempt[]> {
  const type = `${kind}.${change === "delete" ? "deleted" : "updated"}`;
  const id = whoopRecordId(account, kind === "recovery" ? "sleep" : kind, date);
  const body = JSON.stringify({
    user_id: whoopUserId(account),
    id,
    type,
    trace_id: stableUuid(`whoop trace ${id} ${provider.nextId()}`),
  });
  const timestamp = String(provider.now());
  const signature = createHmac("sha256", CLIENT_SECRET).update(`${timestamp}${body}`).digest("base64");
  const headers = {
    "content-type": "application/json",
    "x-whoop-signature": signature,
    "x-whoop-signature-timestamp": timestamp,
  };
  return provider.pushToSubscribers("", { headers, body });
}
