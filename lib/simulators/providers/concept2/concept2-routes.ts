import { type AuthorizedRequest, authorizedRoute, type Route, type SimulatedReply } from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { type DayWithWorkout, selectAvailableData } from "../synthetic-data/available-data.ts";
import { MAX_BPM } from "../synthetic-data/synthetic-workout.ts";
import { concept2UserId, isErgWorkout, resultId } from "./concept2-expected-records.ts";
import { formatDate, toResult, toStrokes } from "./concept2-results.ts";

const API = "log.concept2.com/api/users/me";
const READ = ["results:read", "results:write"];
const MAX_RESULTS_PER_PAGE = 250;
const DATE = /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/;

const missing: SimulatedReply = {
  status: 404,
  body: { message: "This workout does not exist for this user", status_code: 404 },
};

/** Routes of the user, of results (newest first) and of their strokes. */
export function concept2Routes(provider: SimulatedProvider): Route[] {
  const one =
    (bodyOf: (found: DayWithWorkout, call: AuthorizedRequest) => object) =>
    (call: AuthorizedRequest): SimulatedReply => {
      const person = provider.person(call.grant.account);
      const found = listErgWorkouts(provider, call).find(({ day }) => String(resultId(person, day)) === call.params.id);
      return found ? { status: 200, body: { data: bodyOf(found, call) } } : missing;
    };
  return [
    authorizedRoute("GET", API, ["user:read", "user:write"], (call) => userReply(provider, call)),
    authorizedRoute("GET", `${API}/results`, READ, (call) => resultsReply(provider, call)),
    authorizedRoute(
      "GET",
      `${API}/results/{id}`,
      READ,
      one((found, { grant }) => toResult(provider.person(grant.account), found)),
    ),
    authorizedRoute(
      "GET",
      `${API}/results/{id}/strokes`,
      READ,
      one(({ workout }) => toStrokes(workout)),
    ),
  ];
}

function listErgWorkouts(provider: SimulatedProvider, { grant }: AuthorizedRequest): DayWithWorkout[] {
  const days = provider.person(grant.account).days(0, provider.now());
  return selectAvailableData(days, provider.now())
    .workouts.filter(({ workout }) => isErgWorkout(workout))
    .reverse();
}

function userReply(provider: SimulatedProvider, { grant: { account } }: AuthorizedRequest): SimulatedReply {
  const person = provider.person(account);
  const { weightG } = person.day(person.zone.dayAt(provider.now()));
  const data = {
    id: concept2UserId(account),
    username: account,
    first_name: account,
    last_name: "Person",
    gender: person.sex === "female" ? "F" : "M",
    dob: `${person.birthYear}-06-15`,
    email: `${account}@example.com`,
    country: "GER",
    profile_image: null,
    age_restricted: false,
    email_permission: false,
    max_heart_rate: MAX_BPM,
    // Hundredths of a kilogram.
    weight: weightG / 10,
    logbook_privacy: "private",
  };
  return { status: 200, body: { data } };
}

function resultsReply(provider: SimulatedProvider, call: AuthorizedRequest): SimulatedReply {
  const { query, grant } = call;
  const size = Number(query.get("number") ?? 50);
  const page = Number(query.get("page") ?? 1);
  const [from, to] = [query.get("from") ?? "0000-01-01", query.get("to") ?? "9999-12-31"];
  const isValid = page >= 1 && size >= 1 && DATE.test(from) && DATE.test(to);
  if (!isValid) return { status: 422, body: { message: "Could not get results.", status_code: 422, errors: {} } };
  const perPage = Math.min(size, MAX_RESULTS_PER_PAGE);
  const found = listErgWorkouts(provider, call).filter(({ workout }) => {
    // Dates are local; the last day is included.
    const date = formatDate(workout.endMs, workout.offsetS);
    return date >= from && date.slice(0, to.length) <= to;
  });
  const listed = found.slice((page - 1) * perPage, page * perPage);
  const person = provider.person(grant.account);
  const data = provider.applyDuplicates(listed.map((one) => toResult(person, one)));
  return { status: 200, body: { data, meta: { pagination: paginate(found.length, listed.length, page, perPage) } } };
}

/** Links have the scheme `http`, as in the documents; without links there is an empty list. */
function paginate(total: number, count: number, page: number, perPage: number) {
  const total_pages = Math.max(1, Math.ceil(total / perPage));
  const link = (other: number) => `http://${API}/results?number=${perPage}&page=${other}`;
  const links = {
    ...(page > 1 ? { previous: link(page - 1) } : {}),
    ...(page < total_pages ? { next: link(page + 1) } : {}),
  };
  const hasLinks = Object.keys(links).length > 0;
  return { total, count, per_page: perPage, current_page: page, total_pages, links: hasLinks ? links : [] };
}
