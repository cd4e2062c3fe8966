import type { Connector } from "../connector.ts";
import { pulls } from "./pulls.ts";
import { googlePush } from "./push.ts";
import { identity } from "./replies.ts";

const scope = (area: string) => `https://www.googleapis.com/auth/googlehealth.${area}.readonly`;
const [ACTIVITY, HEALTH, SLEEP] = [
  scope("activity_and_fitness"),
  scope("health_metrics_and_measurements"),
  scope("sleep"),
];

const resource = (name: string, scopes: readonly string[], delivers: readonly string[] = [name]) =>
  ({ name, delivers, windowDays: 14, scopes }) as const;

const activityResources = ["activity", "steps", "distance", "calories_active", "floors_climbed"] as const;

/** Google Health API v4; docs/connectors.md lists what was tested and against which server. */
export const googleHealth: Connector = {
  slug: "google_health",
  oauth: {
    authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    revocation: { kind: "standard", url: "https://oauth2.googleapis.com/revoke" },
    scopes: [ACTIVITY, HEALTH, SLEEP],
    identityScopes: [],
    scopeSeparator: " ",
    clientAuthentication: "body",
    pkce: true,
    // Google issues a refresh token only with these parameters, also at a repeated consent.
    authorizationParameters: { access_type: "offline", prompt: "consent", include_granted_scopes: "true" },
    fetchAccountId: async (_, client) =>
      (await client.get("https://health.googleapis.com/v4/users/me/identity", identity)).healthUserId,
  },
  historyDays: 90,
  resources: [
    // The activity of a day includes the resting heart rate.
    resource("activity", [ACTIVITY, HEALTH], activityResources),
    resource("sleep", [SLEEP], ["sleep", "sleep_cycle"]),
    resource("workouts", [ACTIVITY]),
    resource("heartrate", [HEALTH]),
    resource("hrv", [HEALTH]),
    resource("blood_oxygen", [HEALTH]),
    resource("body", [HEALTH], ["body", "weight", "fat"]),
    resource("glucose", [HEALTH]),
  ],
  push: googlePush,
  async *pull(name, window, client) {
    for await (const batch of pulls[name]?.(window, client) ?? []) yield { source_type: "multiple_sources", ...batch };
  },
};
