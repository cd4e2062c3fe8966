import { createHmac } from "node:crypto";
import type { Push, PushDescription } from "../connector.ts";
import { timingSafeEquals } from "../push-key.ts";
import { windowForDate } from "../window-dates.ts";
import { pushBody } from "./replies.ts";

/** Resources by event name. */
const resourcesByEvent: Readonly<Record<string, string>> = {
  EXERCISE: "workouts",
  SLEEP: "sleep",
  CONTINUOUS_HEART_RATE: "heartrate",
  ACTIVITY_SUMMARY: "activity",
  PHYSICAL_INFORMATION: "profile",
};

/** Pushes name the changed data. Polar signs them with the secret that it returned when the webhook was created. */
export const polarPush: PushDescription = {
  // Polar sends the ping while it creates the webhook, before anyone knows the secret.
  answerChallenge: ({ headers }) => (headers["polar-webhook-event"] === "PING" ? { status: 200 } : undefined),
  verify: ({ headers, body }, { pushSecret }) => {
    if (pushSecret === undefined) return false;
    const right = createHmac("sha256", pushSecret).update(body).digest("hex");
    return timingSafeEquals(headers["polar-webhook-signature"] ?? "", right);
  },
  parse: ({ body }) => {
    const payload = pushBody.parse(JSON.parse(body));
    const resource = resourcesByEvent[payload.event];
    if (resource === undefined) return [];
    const accountId = String(payload.user_id);
    const changed: Push["changed"] =
      payload.entity_id === undefined
        ? { resource, window: windowForDate(payload.date ?? payload.timestamp.slice(0, 10)) }
        : { resource, id: payload.entity_id };
    return [{ accountId, changed }];
  },
};
