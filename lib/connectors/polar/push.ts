import { createHmac } from "node:crypto";
import type { Push, PushDescription } from "../connector.ts";
import { isSame } from "../push-key.ts";
import { windowOfDate } from "../window-dates.ts";
import { pushed } from "./replies.ts";

/** What events are about, by their names. */
const resources: Readonly<Record<string, string>> = {
  EXERCISE: "workouts",
  SLEEP: "sleep",
  CONTINUOUS_HEART_RATE: "heartrate",
  ACTIVITY_SUMMARY: "activity",
  PHYSICAL_INFORMATION: "profile",
};

/** Pushes name what changed; they are signed with the secret that Polar told when the webhook was made. */
export const polarPush: PushDescription = {
  // Asked while the webhook is made, when nobody knows its secret yet.
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
