import { createHmac } from "node:crypto";
import type { Push, PushDescription } from "../connector.ts";
import { isSame } from "../push-key.ts";
import { windowOfDate } from "../window-dates.ts";
import { pushed } from "./replies.ts";

/** Resources by event name. */
const resources: Readonly<Record<string, string>> = {
  EXERCISE: "workouts",
  SLEEP: "sleep",
  CONTINUOUS_HEART_RATE: "heartrate",
  ACTIVITY_SUMMARY: "activity",
  PHYSICAL_INFORMATION: "profile",
};

/** Pushes name the changed data. Polar signs them with the secret that it returned when the webhook was created. */
export const polarPush: PushDescription = {
  // Polar sends the ping while it creates the webhook, before anyone knows the secret.
  answer: ({ headers }) => (headers["polar-webhook-event"] === "PING" ? { status: 200 } : undefined),
  verify: ({ headers, body }, { pushSecret }) => {
    if (pushSecret === undefined) return false;
    const right = createHmac("sha256", pushSecret).update(body).digest("hex");
    return isSame(headers["polar-webhook-signature"] ?? "", right);
  },
  parse: ({ body }) => {
    const told = pushed.parse(JSON.parse(body));
    const resource = resources[told.event];
    if (resource === undefined) return [];
    const accountId = String(told.user_id);
    const changed: Push["changed"] =
      told.entity_id === undefined
        ? { resource, window: windowOfDate(told.date ?? told.timestamp.slice(0, 10)) }
        : { resource, id: told.entity_id };
    return [{ accountId, changed }];
  },
};
