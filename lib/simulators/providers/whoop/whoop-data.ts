import { parseInstant } from "../../../domain/timeseries/instant.ts";
import { DAY_MS } from "../../demo/zone-days.ts";
import type { ProviderDesk } from "../frame/provider-desk.ts";
import { type GrantedCall, granted, type Route, type SimulatedReply } from "../frame/simulated-http.ts";
import { knownOf } from "../plan/known-days.ts";
import type { PersonPlan, PlannedDay } from "../plan/person-plan.ts";
import { HIGHEST_BPM } from "../plan/planned-workout.ts";
import { cycleOf, recoveryOf, sleepOf, type WhoopRecord, workoutOf } from "./whoop-records.ts";
import { whoopUserId } from "./whoop-truth.ts";

const API = "api.prod.whoop.com/developer/v2";
const MOST_RECORDS = 25;
const FEWEST_DEFAULT = 10;

/** Builds the record of a day; undefined before it is available. */
type Make = (plan: PersonPlan, day: PlannedDay) => WhoopRecord | undefined;

/** Routes of collections (newest first), single records, profile, and revocation. */
export function whoopDataRoutes(desk: ProviderDesk): Route[] {
  const list = (path: string, scope: string, make: Make) =>
    granted("GET", `${API}${path}`, [scope], (call) => records(desk, call, make));
  const one = (path: string, scope: string, make: Make) =>
    granted("GET", `${API}${path}/{id}`, [scope], (call) => record(desk, call, make));
  const slept =
    (make: typeof sleepOf): Make =>
    (plan, day) => {
      return day.sleep.endMs <= desk.now() ? make(plan, day, desk.now()) : undefined;
    };
  const workout: Make = (plan, day) => {
    const [found] = knownOf([day], desk.now()).workouts;
    return found && workoutOf(plan, day, found.workout, desk.now());
  };
  return [
    list("/cycle", "read:cycles", slept(cycleOf)),
    list("/recovery", "read:recovery", slept(recoveryOf)),
    list("/activity/sleep", "read:sleep", slept(sleepOf)),
    one("/activity/sleep", "read:sleep", slept(sleepOf)),
    list("/activity/workout", "read:workout", workout),
    one("/activity/workout", "read:workout", workout),
    ...personRoutes(desk),
  ];
}

function personRoutes(desk: ProviderDesk): Route[] {
  return [
    granted("GET", `${API}/user/profile/basic`, ["read:profile"], ({ grant: { account } }) => {
      const name = { first_name: account, last_name: "Person" };
      return { status: 200, body: { user_id: whoopUserId(account), email: `${account}@example.com`, ...name } };
    }),
    granted("GET", `${API}/user/measurement/body`, ["read:body_measurement"], ({ grant }) =>
      bodyOf(desk, grant.account),
    ),
    granted("DELETE", `${API}/user/access`, [], ({ grant }) => {
      desk.tokens.revoke(grant.account);
      return { status: 204 };
    }),
  ];
}

function records(desk: ProviderDesk, { query, grant }: GrantedCall, make: Make): SimulatedReply {
  const limit = Number(query.get("limit") ?? FEWEST_DEFAULT);
  const start = query.has("start") ? parseInstant(query.get("start"))?.ms : 0;
  const end = query.has("end") ? parseInstant(query.get("end"))?.ms : desk.now();
  const offset = Number(Buffer.from(query.get("nextToken") ?? "MA", "base64url").toString("utf8"));
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_RECORDS) return { status: 400, body: "limit is not valid" };
  if (start === undefined || end === undefined || start > end)
    return { status: 400, body: "start or end is not valid" };
  if (!Number.isInteger(offset)) return { status: 400, body: "nextToken is not valid" };
  const plan = desk.plan(grant.account);
  const found = plan
    .days(start, end + DAY_MS)
    .flatMap((day) => make(plan, day) ?? [])
    .filter(({ startMs }) => startMs >= start && startMs < end)
    .reverse();
  const next = offset + limit;
  const next_token = next < found.length ? Buffer.from(String(next)).toString("base64url") : null;
  return { status: 200, body: { records: desk.listed(found.slice(offset, next)).map(({ body }) => body), next_token } };
}

function record(desk: ProviderDesk, { params, grant }: GrantedCall, make: Make): SimulatedReply {
  const plan = desk.plan(grant.account);
  const found = plan.days(0, desk.now()).flatMap((day) => make(plan, day) ?? []);
  const wanted = found.find(({ id }) => id === params.id);
  return wanted ? { status: 200, body: wanted.body } : { status: 404, body: "No resource found" };
}

function bodyOf(desk: ProviderDesk, account: string): SimulatedReply {
  const plan = desk.plan(account);
  const { weightG } = plan.day(plan.zone.dayOf(desk.now()));
  const body = { height_meter: plan.heightCm / 100, weight_kilogram: weightG / 1000, max_heart_rate: HIGHEST_BPM };
  return { status: 200, body };
}
