import {
  advanceFailureClock,
  type EndpointHealth,
  type EndpointReference,
  FAILURES_TO_SUSPEND,
  type Failure,
  type FailureClock,
} from "../../events/webhooks/endpoint-health.ts";
import { type ItemUpdate, setExpression } from "../table.ts";

/** Retention of health: an endpoint without failures for this long starts anew. */
const KEPT_S = 40 * 24 * 60 * 60;

/** Returns the expiry of health that is written now, in epoch seconds. */
export const healthExpiryS = (nowMs: number): number => Math.floor(nowMs / 1000) + KEPT_S;

const clockNames = ["first_failed_at", "failing_since"] as const;

/** Builds the update of a failure. Its condition is an unchanged failure clock: it must not undo a success. */
export function failureUpdate(
  { team_id, endpoint_id }: EndpointReference,
  seen: EndpointHealth,
  failure: Failure,
  nowMs: number,
): ItemUpdate {
  const clock = advanceFailureClock(seen, nowMs);
  const { expression, values } = effectOf(failure, seen, nowMs);
  const set = setExpression({ team_id, endpoint_id, ...clock, expires_at: healthExpiryS(nowMs) });
  return {
    ...set,
    UpdateExpression: `${set.UpdateExpression}${expression}`,
    ConditionExpression: clockNames.map((name) => unchanged(seen, name)).join(" AND "),
    ExpressionAttributeValues: { ...set.ExpressionAttributeValues, ...seenValues(seen), ...values },
  };
}

const unchanged = (seen: FailureClock, name: keyof FailureClock) =>
  seen[name] === undefined ? `attribute_not_exists(${name})` : `${name} = :seen_${name}`;

const seenValues = (seen: FailureClock) =>
  Object.fromEntries(clockNames.flatMap((name) => (seen[name] === undefined ? [] : [[`:seen_${name}`, seen[name]]])));

/** What a failure changes beside the failure clock. After a refusal, held deliveries are due for dispatch. */
function effectOf({ kind, eventId }: Failure, { failed, parked_at }: EndpointHealth, nowMs: number) {
  if (kind === "refusal") {
    const resume = parked_at === undefined ? "" : ", due_at = :now";
    const values = parked_at === undefined ? {} : { ":now": new Date(nowMs).toISOString() };
    return { expression: `${resume} REMOVE failed, parked_at`, values };
  }
  const isCounted = kind === "outage" && (failed?.size ?? 0) < FAILURES_TO_SUSPEND;
  return isCounted
    ? { expression: " ADD failed :event", values: { ":event": new Set([eventId]) } }
    : { expression: "", values: {} };
}
