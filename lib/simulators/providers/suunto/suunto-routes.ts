import { DAY_MS } from "../../../domain/shared/durations.ts";
import { APP_KEYS } from "../base/application.ts";
import {
  type AuthorizedRequest,
  authorizedRoute,
  type MaybeAsyncReply,
  type Route,
  type SimulatedReply,
} from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { selectAvailableData } from "../synthetic-data/available-data.ts";
import { createWorkoutFile } from "../synthetic-data/workout-file.ts";
import { workoutKey } from "./suunto-expected-records.ts";
import { listActivitySamples, type SuuntoSample, toSleepSample } from "./suunto-samples.ts";
import { gear, listWorkouts, toWorkout } from "./suunto-workouts.ts";

const API = "cloudapi.suunto.com";
const MAX_RANGE_MS = 28 * DAY_MS;
const MAX_WORKOUTS_PER_PAGE = 100;

const refuse = (status: number, message: string): SimulatedReply => ({ status, body: { statusCode: status, message } });

/** Routes of workouts and their files, of samples, and of the withdrawal of access. */
export function suuntoRoutes(provider: SimulatedProvider): Route[] {
  const route = (path: string, answer: (call: AuthorizedRequest) => MaybeAsyncReply) =>
    authorizedRoute("GET", `${API}${path}`, [], (call) =>
      call.headers["ocp-apim-subscription-key"] === APP_KEYS.subscription_key
        ? answer(call)
        : refuse(401, "Access denied due to missing subscription key."),
    );
  return [
    route("/v3/workouts", (call) => workoutsReply(provider, call)),
    route("/v3/workouts/{key}", (call) => workoutReply(provider, call)),
    route("/v3/workouts/{key}/fit", (call) => fileReply(provider, call)),
    route("/247samples/sleep", (call) => samplesReply(provider, call, listSleepSamples)),
    route("/247samples/activity", (call) => samplesReply(provider, call, listAllActivitySamples)),
    authorizedRoute("GET", "cloudapi-oauth.suunto.com/oauth/deauthorize", [], ({ grant }) => {
      provider.tokens.revoke(grant.account);
      return { status: 200, body: {} };
    }),
  ];
}

function workoutsReply(provider: SimulatedProvider, { query, grant }: AuthorizedRequest): SimulatedReply {
  const since = Number(query.get("since") ?? 0);
  const until = Number(query.get("until") ?? provider.now());
  const limit = Math.min(Number(query.get("limit") ?? 50), MAX_WORKOUTS_PER_PAGE);
  const offset = Number(query.get("offset") ?? 0);
  if (![since, until, limit, offset].every((value) => Number.isInteger(value) && value >= 0))
    return refuse(400, "Bad Request");
  const isByModification = query.get("filter-by-modification-time") !== "false";
  const person = provider.person(grant.account);
  const found = listWorkouts(person, provider.now()).filter(({ workout }) => {
    const atMs = isByModification ? workout.endMs : workout.startMs;
    return since <= atMs && atMs <= until;
  });
  const listed = found.slice(offset, offset + limit).map((one) => ({ ...toWorkout(person, one), gear }));
  const metadata = { workoutcount: String(found.length), until: String(until) };
  return { status: 200, body: { error: null, payload: provider.applyDuplicates(listed), metadata } };
}

function findWorkout(provider: SimulatedProvider, { params, grant }: AuthorizedRequest) {
  const person = provider.person(grant.account);
  return listWorkouts(person, provider.now()).find(({ day }) => workoutKey(person, day) === params.key);
}

function workoutReply(provider: SimulatedProvider, call: AuthorizedRequest): SimulatedReply {
  const found = findWorkout(provider, call);
  if (!found) return refuse(404, "Not Found");
  const payload = { ...toWorkout(provider.person(call.grant.account), found), gear };
  return { status: 200, body: { error: null, payload, metadata: {} } };
}

function fileReply(provider: SimulatedProvider, call: AuthorizedRequest): SimulatedReply {
  const found = findWorkout(provider, call);
  if (!found) return refuse(404, "Not Found");
  const headers = { "content-type": "application/octet-stream" };
  return { status: 200, headers, body: createWorkoutFile(found.workout) };
}

type SampleLister = (provider: SimulatedProvider, account: string, fromMs: number, toMs: number) => SuuntoSample[];

const listSleepSamples: SampleLister = (provider, account, fromMs, toMs) => {
  const person = provider.person(account);
  const { nights } = selectAvailableData(person.days(fromMs, toMs + DAY_MS), provider.now());
  return nights.map((day) => toSleepSample(person, day));
};

const listAllActivitySamples: SampleLister = (provider, account, fromMs, toMs) => {
  const person = provider.person(account);
  return person.days(fromMs, toMs).flatMap((day) => listActivitySamples(person, day, provider.now()));
};

/** Samples of at most 28 days. Bounds are Unix milliseconds. */
function samplesReply(
  provider: SimulatedProvider,
  { query, grant }: AuthorizedRequest,
  list: SampleLister,
): SimulatedReply {
  const [from, to] = [Number(query.get("from") ?? Number.NaN), Number(query.get("to") ?? Number.NaN)];
  if (!(from <= to && to - from <= MAX_RANGE_MS)) return refuse(400, "The range is not valid.");
  const found = list(provider, grant.account, from, to).filter(({ atMs }) => from <= atMs && atMs <= to);
  return { status: 200, body: provider.applyDuplicates(found).map(({ atMs: _, ...sample }) => sample) };
}
