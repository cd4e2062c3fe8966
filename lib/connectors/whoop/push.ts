import { createHmac } from "node:crypto";
import type { Push, PushDescription } from "../connector.ts";
import { isSame } from "../push-key.ts";
import * as replies from "./replies.ts";

/** Maximum age of a push. WHOOP retries failed pushes for hours with the original signature. */
const OLDEST_MS = 24 * 60 * 60_000;

/** Resources to pull, by event type. A recovery has the id of its sleep. */
const resources: Readonly<Record<string, string>> = {
  "sleep.updated": "sleep",
  "recovery.updated": "sleep",
  "workout.updated": "workouts",
};

/** Pushes name the changed record. Deletions are ignored. The callback URL is configured in WHOOP's dashboard. */
export const push: PushDescription = {
  verify({ headers, body }, { clientSecret }, nowMs) {
    const timestamp = headers["x-whoop-signature-timestamp"] ?? "";
    const right = createHmac("sha256", clientSecret).update(`${timestamp}${body}`).digest("base64");
    return isSame(headers["x-whoop-signature"] ?? "", right) && Math.abs(nowMs - Number(timestamp)) <= OLDEST_MS;
  },
  parse({ body }): Push[] {
    const { user_id, id, type } = replies.push.parse(JSON.parse(body));
    const resource = resources[type];
    return resource === undefined ? [] : [{ accountId: String(user_id), changed: { resource, id: String(id) } }];
  },
};
