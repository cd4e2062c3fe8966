import { parseInstant } from "../../../domain/shared/instant.ts";
import { CLIENT_ID } from "../base/application.ts";
import { type AuthorizedRequest, authorizedRoute, type Route, type SimulatedReply } from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import type { SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { mapMyFitnessUserId, mapMyFitnessWorkoutId } from "./map-my-fitness-expected-records.ts";
import { activityTypes, toTimeSeries, toWorkout } from "./workout.ts";

/** The default as observed; the maximum is that of public clients. */
const [DEFAULT_LIMIT, MAX_LIMIT] = [20, 40];

type Refuse = (status: number, ...failures: readonly string[]) => SimulatedReply;

/** Routes of the user, of workouts and of activity types. */
export function workoutRoutes(provider: SimulatedProvider, api: string, refuse: Refuse): Route[] {
  const route = (path: string, answer: (call: AuthorizedRequest) => SimulatedReply) =>
    authorizedRoute("GET", `${api}/${path}/`, [], (call) =>
      call.headers["api-key"] === CLIENT_ID ? answer(call) : refuse(403, "Developer Inactive"),
    );
  return [
    route("user/self", ({ grant }) => ({ status: 200, body: toUser(provider.person(grant.account)) })),
    route("workout", (call) => listWorkouts(provider, call, refuse)),
    route("workout/{id}", (call) => getWorkout(provider, call, refuse)),
    route("activity_type/{id}", ({ params }) => {
      const found = Object.values(activityTypes).find(([id]) => id === params.id);
      if (!found) return refuse(404, "Not Found");
      const [id, name] = found;
      const self = [{ href: `/v7.1/activity_type/${id}/`, id }];
      return { status: 200, body: { name, short_name: name.toLowerCase(), _links: { self } } };
    }),
  ];
}

function toUser(person: SyntheticPerson) {
  const id = mapMyFitnessUserId(person.account);
  return {
    id: Number(id),
    username: person.account,
    time_zone: person.zone.timeZone,
    display_measurement_system: "metric",
    _links: { self: [{ href: `/v7.1/user/${id}/`, id }] },
  };
}

/** All workouts of a person until now, oldest first. */
const allWorkouts = (provider: SimulatedProvider, person: SyntheticPerson) =>
  selectAvailableData(person.days(0, provider.now()), provider.now()).workouts;

/** One page of the workouts of a user that started in an interval. */
function listWorkouts(
  provider: SimulatedProvider,
  { query, grant }: AuthorizedRequest,
  refuse: Refuse,
): SimulatedReply {
  const user = query.get("user");
  if (user === null) return refuse(400, "user filter required");
  if (user !== mapMyFitnessUserId(grant.account)) return refuse(403, "Forbidden");
  const [offset, limit] = [Number(query.get("offset") ?? 0), Number(query.get("limit") ?? DEFAULT_LIMIT)];
  const isPage = Number.isInteger(offset) && offset >= 0 && Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT;
  const after = parseInstant(query.get("started_after") ?? "1970-01-01T00:00:00Z")?.ms;
  const before = parseInstant(query.get("started_before") ?? "9999-01-01T00:00:00Z")?.ms;
  if (!isPage || after === undefined || before === undefined) return refuse(400, "invalid filter");
  const person = provider.person(grant.account);
  const found = allWorkouts(provider, person).filter(
    ({ workout: { startMs } }) => after <= startMs && startMs <= before,
  );
  const ordered = query.get("order_by") === "-start_datetime" ? found.reverse() : found;
  const workouts = ordered.slice(offset, offset + limit).map((one) => toWorkout(person, one));
  const addressOf = (place: number) => {
    const filters = new URLSearchParams([...query, ["limit", String(limit)]]);
    filters.set("offset", String(place));
    return [{ href: `/v7.1/workout/?${filters}` }];
  };
  const next = offset + limit < found.length ? { next: addressOf(offset + limit) } : {};
  const _links = { self: addressOf(offset), ...next };
  const _embedded = { workouts: provider.applyDuplicates(workouts) };
  return { status: 200, body: { _links, _embedded, total_count: found.length } };
}

function getWorkout(provider: SimulatedProvider, { params, query, grant }: AuthorizedRequest, refuse: Refuse) {
  const person = provider.person(grant.account);
  const found = allWorkouts(provider, person).find(({ day }) => mapMyFitnessWorkoutId(person, day) === params.id);
  if (!found) return refuse(404, "Not Found");
  const series = query.get("field_set") === "time_series" ? { time_series: toTimeSeries(found.workout) } : {};
  return { status: 200, body: { ...toWorkout(person, found), ...series } };
}
