import { MINUTE_MS } from "../../../domain/shared/durations.ts";
import { isApplication } from "../base/application.ts";
import {
  type AuthorizedRequest,
  authorizedRoute,
  parseForm,
  publicRoute,
  type Route,
  type RoutedRequest,
  type SimulatedReply,
} from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { type DayWithWorkout, parseDayNumber } from "../synthetic-data/available-data.ts";
import type { SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { summarizeWorkout } from "../synthetic-data/synthetic-workout.ts";
import { createWorkoutFile } from "../synthetic-data/workout-file.ts";
import { activityId, selectRides } from "./hammerhead-expected-records.ts";

const API = "api.hammerhead.io/v1/api/activities";
const READ = ["activity:read"];
const MAX_ACTIVITIES_PER_PAGE = 100;
/** Minutes from the end of a ride to its upload. */
const UPLOAD_DELAY_MS = 5 * MINUTE_MS;

const missing: SimulatedReply = { status: 404, body: { error: "Not Found" } };

/** Routes of activities (newest first), of their files, and of the withdrawal of access. */
export function hammerheadRoutes(provider: SimulatedProvider): Route[] {
  const one =
    (replyOf: (person: SyntheticPerson, found: DayWithWorkout) => SimulatedReply) =>
    ({ params, grant }: AuthorizedRequest): SimulatedReply => {
      const person = provider.person(grant.account);
      const found = listRides(provider, person).find(({ day }) => activityId(person, day) === params.id);
      return found ? replyOf(person, found) : missing;
    };
  return [
    authorizedRoute("GET", API, READ, (call) => activitiesReply(provider, call)),
    authorizedRoute(
      "GET",
      `${API}/{id}`,
      READ,
      one((person, found) => ({ status: 200, body: toActivity(person, found) })),
    ),
    authorizedRoute(
      "GET",
      `${API}/{id}/file`,
      READ,
      one((_, { workout }) => ({
        status: 200,
        headers: { "content-type": "application/octet-stream" },
        body: createWorkoutFile(workout),
      })),
    ),
    publicRoute("POST", "api.hammerhead.io/v1/auth/oauth/deauthorize", (call) => deauthorize(provider, call)),
  ];
}

function deauthorize(provider: SimulatedProvider, call: RoutedRequest): SimulatedReply {
  if (!isApplication(call, ["body"])) return { status: 401, body: { error: "invalid_client" } };
  const account = provider.tokens.findAccount(parseForm(call).get("token") ?? "");
  if (account !== undefined) provider.tokens.revoke(account);
  return { status: 204 };
}

const listRides = (provider: SimulatedProvider, person: SyntheticPerson): DayWithWorkout[] =>
  selectRides(person.days(0, provider.now()), provider.now()).reverse();

function activitiesReply(provider: SimulatedProvider, { query, grant }: AuthorizedRequest): SimulatedReply {
  const page = Number(query.get("page") ?? 1);
  const size = Number(query.get("perPage") ?? 20);
  const start = query.has("startDate") ? parseDayNumber(query.get("startDate")) : 0;
  const isPage = Number.isInteger(page) && page >= 1 && Number.isInteger(size) && size >= 1;
  if (!isPage || size > MAX_ACTIVITIES_PER_PAGE || start === undefined)
    return { status: 400, body: { error: "Bad Request" } };
  const person = provider.person(grant.account);
  const found = listRides(provider, person).filter(({ day }) => day.day >= start);
  const listed = found.slice((page - 1) * size, page * size).map((one) => toSummary(person, one));
  const totalPages = Math.ceil(found.length / size);
  const pagination = { currentPage: page, perPage: size, totalItems: found.length, totalPages };
  return { status: 200, body: { ...pagination, data: provider.applyDuplicates(listed) } };
}

/** A ride: its upload, metres and seconds. The file alone states its start. */
function toSummary(person: SyntheticPerson, { day, workout }: DayWithWorkout) {
  const { seconds, distanceM } = summarizeWorkout(workout);
  return {
    id: activityId(person, day),
    name: "Ride",
    createdAt: new Date(workout.endMs + UPLOAD_DELAY_MS).toISOString(),
    distance: distanceM,
    duration: seconds,
  };
}

function toActivity(person: SyntheticPerson, found: DayWithWorkout) {
  const summary = toSummary(person, found);
  return { ...summary, activityType: "RIDE", description: "", polyline: "", updatedAt: summary.createdAt };
}
