import { DAY_MS } from "../../demo/zone-days.ts";
import type { ProviderDesk } from "../frame/provider-desk.ts";
import { type GrantedCall, granted, jsonOf, type Route, type SimulatedReply } from "../frame/simulated-http.ts";
import { stableUuid } from "../frame/stable-uuid.ts";
import { googleError } from "./google-error.ts";
import { timeFilter } from "./google-filter.ts";
import { googleTypes } from "./google-points.ts";
import { rollUp } from "./google-roll-up.ts";
import { type GooglePoint, type GoogleType, memberName } from "./google-shapes.ts";

const USER = "health.googleapis.com/v4/users/me";
const SCOPES = "https://www.googleapis.com/auth/googlehealth";
const POINTS_OF_A_PAGE = { usual: 1_440, most: 10_000 };
/** Sessions are large, so their pages are smaller. */
const SESSIONS_OF_A_PAGE = { usual: 25, most: 25 };

/** The provider's user id of an account. */
export function googleUserId(account: string): string {
  return stableUuid(`google ${account}`).replaceAll("-", "").slice(0, 21);
}

/** Routes of each data type: raw, reconciled and rolled-up points. */
export function googleDataRoutes(desk: ProviderDesk): Route[] {
  const kinds = Object.entries(googleTypes).flatMap(([name, type]) => {
    const base = `${USER}/dataTypes/${name}/dataPoints`;
    const scopes = [`${SCOPES}.${type.scope}.readonly`];
    return [
      granted("GET", base, scopes, (call) => list(desk, name, type, call, true)),
      granted("GET", `${base}:reconcile`, scopes, (call) => list(desk, name, type, call, false)),
      granted("POST", `${base}:rollUp`, scopes, (call) => rollUp(desk, name, jsonOf(call), call.grant.account)),
    ];
  });
  const identity = ({ grant }: GrantedCall): SimulatedReply => ({
    status: 200,
    body: { name: "users/me/identity", healthUserId: googleUserId(grant.account) },
  });
  return [granted("GET", `${USER}/identity`, [], identity), ...kinds];
}

/** Lists points, newest first. Reduces a page size above the maximum. */
function list(
  desk: ProviderDesk,
  name: string,
  type: GoogleType,
  { query, grant }: GrantedCall,
  hasSource: boolean,
): SimulatedReply {
  const limits = name === "sleep" || name === "exercise" ? SESSIONS_OF_A_PAGE : POINTS_OF_A_PAGE;
  const size = Math.min(Number(query.get("pageSize") ?? 0) || limits.usual, limits.most);
  const offset = Number(Buffer.from(query.get("pageToken") ?? "MA", "base64url").toString("utf8"));
  const member = `${name.replaceAll("-", "_")}.${type.member}`;
  const range = timeFilter(query.get("filter") ?? "", member);
  if (range === undefined) return googleError(400, "INVALID_ARGUMENT", "INVALID_DATA_POINT_FILTER");
  if (!Number.isInteger(offset) || size < 0) return googleError(400, "INVALID_ARGUMENT", "Invalid page.");
  const plan = desk.plan(grant.account);
  const timeOf = ({ startMs, endMs }: GooglePoint) => {
    if (type.member === "interval.end_time") return endMs;
    return type.member === "interval.civil_start_time" ? startMs + 1000 * plan.zone.offsetS(startMs) : startMs;
  };
  const days = plan.days(Math.max(0, range.fromMs - DAY_MS), Math.min(range.untilMs, desk.now()) + DAY_MS);
  const points = type
    .pointsOf(plan, days, desk.now())
    .filter((point) => timeOf(point) >= range.fromMs && timeOf(point) < range.untilMs)
    .toReversed();
  const next = offset + size;
  const dataPoints = points.slice(offset, next).map(({ id, value }) => ({
    ...(hasSource ? { name: `users/me/dataTypes/${name}/dataPoints/${id}`, dataSource } : {}),
    [memberName(name)]: value,
  }));
  const nextPageToken = next < points.length ? Buffer.from(String(next)).toString("base64url") : undefined;
  return { status: 200, body: { dataPoints: desk.listed(dataPoints), ...(nextPageToken ? { nextPageToken } : {}) } };
}

const dataSource = {
  recordingMethod: "PASSIVELY_MEASURED",
  platform: "FITBIT",
  device: { formFactor: "WATCH", displayName: "Pixel Watch 4" },
};
