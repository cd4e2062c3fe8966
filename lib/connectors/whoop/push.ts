import { createHmac } from "node:crypto";
import type { Push, PushDescription } from "../connector.ts";
import { isSame } from "../push-key.ts";
import * as replies from "./replies.ts";

/** Pushes that were not taken are repeated for hours, as they were signed first. */
const OLDEST_MS = 24 * 60 * 60_000;

/** What is pulled again of what a push is about: the id of a recovery is that of its sleep. */
const resources: Readonly<Record<string, string>> = {
  "sleep.updated": "sleep",
  "recovery.updated": "sleep",
  "workout.updated": "workouts",
};

/** Pushes tell what changed and not how; what was deleted stays as it was. Their address is set on a page of WHOOP. */
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
