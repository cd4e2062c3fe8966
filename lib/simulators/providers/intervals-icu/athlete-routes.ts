import { parseInstant } from "../../../domain/shared/instant.ts";
import { formatWallTime } from "../base/local-time.ts";
import { type AuthorizedRequest, authorizedRoute, type Route, type SimulatedReply } from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import {
  type DayWithWorkout,
  listSyntheticDays,
  parseDayNumber,
  selectAvailableData,
} from "../synthetic-data/available-data.ts";
import { toActivity, toStreams } from "./activity.ts";
import { activityId, athleteId } from "./expected-diary.ts";
import { toWellness } from "./wellness.ts";

const ACTIVITY_SCOPES = ["ACTIVITY:READ", "ACTIVITY:WRITE"];
const errorReply = (status: number, error: string): SimulatedReply => ({ status, body: { status, error } });

/** Routes of activities and of wellness records. The athlete `0` is the one of the token. */
export function athleteRoutes(provider: SimulatedProvider, api: string): Route[] {
  const ofAthlete = (path: string, scopes: readonly string[], answer: (call: AuthorizedRequest) => SimulatedReply) =>
    authorizedRoute("GET", `${api}/athlete/{id}/${path}`, scopes, (call) => {
      const isOwn = call.params.id === "0" || call.params.id === athleteId(call.grant.account);
      return isOwn ? answer(call) : errorReply(403, "Access denied");
    });
  const ofActivity = (path: string, answer: (call: AuthorizedRequest, found: DayWithWorkout) => object) =>
    authorizedRoute("GET", `${api}/activity/{id}${path}`, ACTIVITY_SCOPES, (call) => {
      const person = provider.person(call.grant.account);
      const all = selectAvailableData(person.days(0, provider.now()), provider.now()).workouts;
      const found = all.find(({ day }) => activityId(person, day) === call.params.id);
      return found ? { status: 200, body: answer(call, found) } : errorReply(404, "Activity not found");
    });
  const streams = ({ query }: AuthorizedRequest, { workout }: DayWithWorkout) =>
    toStreams(workout, (query.get("types") ?? "time,heartrate").split(","));
  return [
    ofAthlete("activities", ACTIVITY_SCOPES, (call) => listActivities(provider, call)),
    ofAthlete("wellness", ["WELLNESS:READ", "WELLNESS:WRITE"], (call) => listWellness(provider, call)),
    ofActivity("", ({ grant }, found) => toActivity(provider.person(grant.account), found)),
    ofActivity("/streams", streams),
    ofActivity("/streams.json", streams),
  ];
}

/** Activities between two local dates or times, both included, newest first, without pages. */
function listActivities(provider: SimulatedProvider, { query, grant }: AuthorizedRequest): SimulatedReply {
  const [oldest, newest] = [query.get("oldest"), query.get("newest") ?? "9999-12-31"];
  if (!isLocalTime(oldest) || !isLocalTime(newest)) return errorReply(422, "oldest and newest must be local dates");
  const limit = Number(query.get("limit") ?? Number.POSITIVE_INFINITY);
  const person = provider.person(grant.account);
  const found = selectAvailableData(person.days(0, provider.now()), provider.now()).workouts.filter(({ workout }) => {
    const start = formatWallTime(workout.startMs, workout.offsetS);
    return start >= oldest && start <= (newest.length === 10 ? `${newest}T23:59:59.999` : newest);
  });
  const body = found.reverse().map((one) => toActivity(person, one));
  return { status: 200, body: provider.applyDuplicates(body).slice(0, limit) };
}

function isLocalTime(text: string | null): text is string {
  return text !== null && (/^\d{4}-\d\d-\d\d$/.test(text) || parseInstant(`${text}Z`) !== undefined);
}

/** Wellness records between two local dates, both included, oldest first. */
function listWellness(provider: SimulatedProvider, { query, grant }: AuthorizedRequest): SimulatedReply {
  const [first, last] = [parseDayNumber(query.get("oldest")), parseDayNumber(query.get("newest"))];
  if (first === undefined || last === undefined) return errorReply(422, "oldest and newest must be local dates");
  const now = provider.now();
  const { begun } = selectAvailableData(listSyntheticDays(provider.person(grant.account), first, last), now);
  return { status: 200, body: provider.applyDuplicates(begun.map((day) => toWellness(day, now))) };
}
