import { createHmac } from "node:crypto";
import type { Push, PushDescription } from "../connector.ts";
import { timingSafeEquals } from "../push-key.ts";
import { readRecord } from "../tolerant-reader.ts";
import { toSleep } from "./map.ts";
import * as replies from "./replies.ts";

/** Notifications of the application, signed with the secret of Suunto's page. */
export const suuntoPush: PushDescription = {
  verify({ headers, body }, { pushSecret }) {
    if (pushSecret === undefined) return false;
    const right = createHmac("sha256", pushSecret).update(body).digest("hex");
    return timingSafeEquals(headers["x-hmac-sha256-signature"]?.toLowerCase() ?? "", right);
  },
  parse({ body }, onDropped): Push[] {
    const { type, username: accountId, workout, samples = [] } = replies.pushBody.parse(JSON.parse(body));
    if (workout) return [{ accountId, changed: { resource: "workouts", id: workout.workoutKey } }];
    if (type === "SUUNTO_247_SLEEP_CREATED") {
      const nights = samples.flatMap((one) => readRecord(one, replies.sleepSample, "samples", onDropped) ?? []);
      return [{ accountId, batch: { source_type: "watch", resources: { sleep: nights.map(toSleep) } } }];
    }
    // Sums of days need all samples of a day: the connector pulls them.
    const times = samples
      .flatMap((one) => readRecord(one, replies.pushedSample, "samples", onDropped) ?? [])
      .map(({ timestamp }) => Date.parse(timestamp))
      .filter(Number.isFinite);
    if (type !== "SUUNTO_247_ACTIVITY_CREATED" || times.length === 0) return [];
    const window = { startMs: Math.min(...times), endMs: Math.max(...times) + 1 };
    return [{ accountId, changed: { resource: "activity", window } }];
  },
};
