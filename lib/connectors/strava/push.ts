import { createHmac } from "node:crypto";
import type { Push, PushDescription } from "../connector.ts";
import { derivePushKey, hasPushKey, timingSafeEquals } from "../push-key.ts";
import * as replies from "./replies.ts";

const SLUG = "strava";
/** Maximum age of a signed push. Strava retries failed pushes within minutes. */
const MAX_PUSH_AGE_MS = 30 * 60_000;

/** Pushes of the application's single subscription. Its verify token is the derived push key. */
export const stravaPush: PushDescription = {
  answerChallenge({ method, query }, app) {
    const [mode, challenge] = [query.get("hub.mode"), query.get("hub.challenge")];
    if (method !== "GET" || mode !== "subscribe" || challenge === null) return undefined;
    const isOurs = timingSafeEquals(query.get("hub.verify_token") ?? "", derivePushKey(app, SLUG));
    return isOurs ? { status: 200, body: { "hub.challenge": challenge } } : undefined;
  },
  verify(request, app, nowMs) {
    const { headers, body } = request;
    const given = headers["x-strava-signature"];
    // Strava does not sign the pushes of every subscription. Unsigned ones must carry the push key in the URL.
    if (given === undefined) return hasPushKey(request, app, SLUG);
    const [, time = "", signature = ""] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(given) ?? [];
    const right = createHmac("sha256", app.clientSecret).update(`${time}.${body}`).digest("hex");
    return timingSafeEquals(signature, right) && Math.abs(nowMs - Number(time) * 1000) <= MAX_PUSH_AGE_MS;
  },
  parse({ body }): Push[] {
    const { object_type, aspect_type, object_id, owner_id, updates } = replies.pushBody.parse(JSON.parse(body));
    const accountId = String(owner_id);
    if (object_type === "athlete") {
      return String(updates?.authorized) === "false" ? [{ accountId, isRevoked: true }] : [];
    }
    if (object_type !== "activity" || aspect_type === "delete") return [];
    return [{ accountId, changed: { resource: "workouts", id: String(object_id) } }];
  },
};
