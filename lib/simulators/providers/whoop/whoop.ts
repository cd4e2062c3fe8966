import { createHmac } from "node:crypto";
import { CLIENT_SECRET } from "../frame/application.ts";
import type { DataChange, ProviderDesk, ProviderRules } from "../frame/provider-desk.ts";
import type { Attempt } from "../frame/pushes.ts";
import { remaining } from "../frame/rate-limits.ts";
import { stableUuid } from "../frame/stable-uuid.ts";
import { whoopDataRoutes } from "./whoop-data.ts";
import { whoopId, whoopTruth, whoopUserId } from "./whoop-truth.ts";

const AUTH = "api.prod.whoop.com/oauth/oauth2";

/** WHOOP API v2, as published at https://developer.whoop.com/api. */
export const whoop: ProviderRules = {
  slug: "whoop_v2",
  oauth: {
    authorize: `${AUTH}/auth`,
    token: `${AUTH}/token`,
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
    tellsScope: true,
    leastStateLength: 8,
    codeSeconds: 600,
    accessSeconds: 3_600,
    refresh: "rotates",
    refreshSeconds: null,
    refreshScope: "offline",
  },
  limits: [
    { seconds: 60, most: 100, of: "application" },
    { seconds: 86_400, most: 10_000, of: "application" },
  ],
  pushes: { retrySeconds: [60, 300, 900, 3_600, 3_600], timeoutSeconds: 1 },
  routes: whoopDataRoutes,
  unauthorized: () => ({ status: 401, body: "Authorization was not valid" }),
  forbidden: () => ({ status: 403, body: "The token does not have the scope" }),
  tooMany: () => ({ status: 429, body: "Too many requests" }),
  limitHeaders: ([minute, day]) => {
    if (!minute || !day) return {};
    const tightest = remaining(minute) <= remaining(day) ? minute : day;
    return {
      "x-ratelimit-limit": "100, 100;window=60, 10000;window=86400",
      "x-ratelimit-remaining": String(remaining(tightest)),
      "x-ratelimit-reset": String(tightest.resetSeconds),
    };
  },
  truth: whoopTruth,
  notify,
};

/** Pushes the changed record. A recovery has the id of its sleep. */
async function notify(desk: ProviderDesk, { account, kind, date, change }: DataChange): Promise<Attempt[]> {
  const type = `${kind}.${change === "delete" ? "deleted" : "updated"}`;
  const id = whoopId(account, kind === "recovery" ? "sleep" : kind, date);
  const body = JSON.stringify({
    user_id: whoopUserId(account),
    id,
    type,
    trace_id: stableUuid(`whoop trace ${id} ${desk.nextId()}`),
  });
  const timestamp = String(desk.now());
  const signature = createHmac("sha256", CLIENT_SECRET).update(`${timestamp}${body}`).digest("base64");
  const headers = {
    "content-type": "application/json",
    "x-whoop-signature": signature,
    "x-whoop-signature-timestamp": timestamp,
  };
  return desk.tell("", { headers, body });
}
