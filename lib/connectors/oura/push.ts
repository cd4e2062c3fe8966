import { createHmac } from "node:crypto";
import type { Push, PushDescription } from "../connector.ts";
import { derivePushKey, timingSafeEquals } from "../push-key.ts";
import { pushBody } from "./replies.ts";

/** The resource to pull and its collection, by the data type of a push in lower case. */
const pullTargetsByDataType: Readonly<Record<string, { readonly resource: string; readonly collection: string }>> = {
  sleep: { resource: "sleep", collection: "sleep" },
  daily_sleep: { resource: "sleep", collection: "daily_sleep" },
  daily_readiness: { resource: "sleep", collection: "daily_readiness" },
  daily_activity: { resource: "activity", collection: "daily_activity" },
  daily_spo2: { resource: "blood_oxygen", collection: "daily_spo2" },
  workout: { resource: "workouts", collection: "workout" },
  // The path has this spelling; the data type of pushes does not.
  vo2_max: { resource: "vo2_max", collection: "vO2_max" },
};

/** Pushes name a created or updated document. The verification token of subscriptions is the derived push key. */
export const ouraPush: PushDescription = {
  answerChallenge({ method, query }, app) {
    const challenge = query.get("challenge");
    if (method !== "GET" || challenge === null) return undefined;
    const isOurs = timingSafeEquals(query.get("verification_token") ?? "", derivePushKey(app, "oura"));
    return isOurs ? { status: 200, body: { challenge } } : undefined;
  },
  // The age of a push does not matter: it only triggers a pull of the current document.
  verify({ headers, body }, { clientSecret }) {
    const timestamp = headers["x-oura-timestamp"] ?? "";
    const right = createHmac("sha256", clientSecret).update(`${timestamp}${body}`).digest("hex").toUpperCase();
    return timestamp !== "" && timingSafeEquals((headers["x-oura-signature"] ?? "").toUpperCase(), right);
  },
  parse({ body }): Push[] {
    const { user_id: accountId, event_type, data_type, object_id } = pushBody.parse(JSON.parse(body));
    const kind = pullTargetsByDataType[data_type.toLowerCase()];
    if (!kind || event_type === "delete") return [];
    const id = `${kind.collection}/${encodeURIComponent(object_id)}`;
    return [{ accountId, changed: { resource: kind.resource, id } }];
  },
};
