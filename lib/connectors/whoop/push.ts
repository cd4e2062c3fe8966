import { createHmac } from "node:crypto";
import type { Push, PushDescription } from "../connector.ts";
import { timingSafeEquals } from "../push-key.ts";
import * as replies from "./replies.ts";

/** Maximum age of a push. WHOOP retries failed pushes for hours with the original signature. */
const MAX_PUSH_AGE_MS = 24 * 60 * 60_000;

/** Resources to pull, by event type. A recovery has the id of its sleep. */
const resourcesByEventType: Readonly<Record<string, string>> = {
  "sleep.updated": "sleep",
  "recovery.updated": "sleep",
  "workout.updated": "workouts",
};

/** Pushes name the changed record. Deletions are ignored. The callback URL is configured in WHOOP's dashboard. */
export const whoopPush: PushDescription = {
  verify({ headers, body }, { clientSecret }, nowMs) {
    const timestamp = headers["x-whoop-signature-timestamp"] ?? "";
    const right = createHmac("sha256", clientSecret).update(`${timestamp}${body}`).digest("base64");
    return (
      timingSafeEquals(headers["x-whoop-signature"] ?? "", right) &&
      Math.abs(nowMs - Number(timestamp)) <= MAX_PUSH_AGE_MS
    );
  },
  parse({ body }): Push[] {
    const { user_id, id, type } = replies.pushBody.parse(JSON.parse(body));
    const resource = resourcesByEventType[type];
    return resource === undefined ? [] : [{ accountId: String(user_id), changed: { resource, id: String(id) } }];
  },
};
