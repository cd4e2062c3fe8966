import type { ProviderRules } from "../frame/provider-desk.ts";
import type { WindowState } from "../frame/rate-limits.ts";
import type { SimulatedReply } from "../frame/simulated-http.ts";
import { polarDataRoutes } from "./polar-data.ts";
import { exerciseRoutes } from "./polar-exercises.ts";
import { polarTruth, polarUserId } from "./polar-truth.ts";
import { polarUserRoutes } from "./polar-users.ts";
import { notifyPolar, webhookRoutes } from "./polar-webhooks.ts";

const refused = (status: number, error: string): SimulatedReply => ({ status, body: { status, error } });

/** Rate limits of an application with one user: the base limit plus the allowance per user. */
const [OF_A_QUARTER, OF_A_DAY] = [520, 5_100];

/** Polar AccessLink 3.68, as published at https://www.polar.com/accesslink-api. */
export const polar: ProviderRules = {
  slug: "polar",
  oauth: {
    authorize: "flow.polar.com/oauth2/authorization",
    token: "polarremote.com/v2/oauth2/token",
    clientAuthentication: ["basic"],
    pkce: "none",
    scopes: ["accesslink.read_all"],
    defaultScopes: ["accesslink.read_all"],
    scopeSeparator: " ",
    codeSeconds: 600,
    accessSeconds: 31_535_999,
    refresh: "none",
    refreshSeconds: null,
    reply: ({ account, accessToken, expiresInS }) => ({
      access_token: accessToken,
      token_type: "bearer",
      expires_in: expiresInS,
      x_user_id: polarUserId(account),
    }),
  },
  limits: [
    { seconds: 900, most: OF_A_QUARTER, of: "application" },
    { seconds: 86_400, most: OF_A_DAY, of: "application" },
  ],
  pushes: { retrySeconds: [60, 300, 3_600, 21_600, 86_400], timeoutSeconds: 10 },
  // Data routes precede user routes: both use the same path segment.
  routes: (desk) => [
    ...polarDataRoutes(desk),
    ...polarUserRoutes(desk),
    ...exerciseRoutes(desk),
    ...webhookRoutes(desk),
  ],
  unauthorized: () => refused(401, "unauthorized"),
  forbidden: () => refused(403, "forbidden"),
  tooMany: () => refused(429, "too many requests"),
  limitHeaders: (windows) => {
    const joined = (part: (window: WindowState) => number) => windows.map(part).join(", ");
    return {
      "ratelimit-usage": joined(({ used }) => used),
      "ratelimit-limit": joined(({ most }) => most),
      "ratelimit-reset": joined(({ resetSeconds }) => resetSeconds),
    };
  },
  truth: polarTruth,
  notify: notifyPolar,
};
