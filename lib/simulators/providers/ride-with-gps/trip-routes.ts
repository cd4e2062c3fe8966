import { parseInstant } from "../../../domain/shared/instant.ts";
import { type AuthorizedRequest, authorizedRoute, type Route, type SimulatedReply } from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { type DayWithWorkout, selectAvailableData } from "../synthetic-data/available-data.ts";
import type { SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { rideWithGpsUserId, tripId } from "./expected-trips.ts";
import { toDetailedTrip, toListedTrip } from "./trip.ts";

const API = "ridewithgps.com/api/v1";
/** Documented default; the maximum is our choice. */
const [DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE] = [20, 200];

const badRequest = (error: string): SimulatedReply => ({ status: 400, body: { error } });

/** Routes of the user, of trips, and of changes since an instant. */
export function tripRoutes(provider: SimulatedProvider): Route[] {
  const route = (path: string, answer: (call: AuthorizedRequest) => SimulatedReply) =>
    authorizedRoute("GET", `${API}/${path}`, ["user"], answer);
  return [
    route("users/current.json", ({ grant }) => ({
      status: 200,
      body: {
        user: {
          id: rideWithGpsUserId(grant.account),
          name: grant.account,
          created_at: "2024-01-17T01:45:09Z",
          updated_at: "2024-06-11T21:11:16Z",
        },
      },
    })),
    route("trips.json", (call) => listTrips(provider, call)),
    route("trips/{file}", (call) => getTrip(provider, call)),
    route("sync.json", (call) => listChanges(provider, call)),
  ];
}

/** All trips of a person until now, oldest first. */
function allTrips(provider: SimulatedProvider, person: SyntheticPerson): DayWithWorkout[] {
  return selectAvailableData(person.days(0, provider.now()), provider.now()).workouts;
}

/** One page, ordered by the last update, newest first. */
function listTrips(provider: SimulatedProvider, { query, grant }: AuthorizedRequest): SimulatedReply {
  const page = Number(query.get("page") ?? 1);
  const size = Number(query.get("page_size") ?? DEFAULT_PAGE_SIZE);
  const isValid = Number.isInteger(page) && page >= 1 && Number.isInteger(size) && size >= 1 && size <= MAX_PAGE_SIZE;
  if (!isValid) return badRequest("Invalid page or page_size");
  const person = provider.person(grant.account);
  const all = allTrips(provider, person).reverse();
  const trips = all.slice((page - 1) * size, page * size).map((found) => toListedTrip(person, found));
  const page_count = Math.ceil(all.length / size);
  const next_page_url = page < page_count ? `https://${API}/trips.json?page=${page + 1}&page_size=${size}` : null;
  const pagination = { record_count: all.length, page_count, page_size: size, next_page_url };
  return { status: 200, body: { trips: provider.applyDuplicates(trips), meta: { pagination } } };
}

function getTrip(provider: SimulatedProvider, { params, grant }: AuthorizedRequest): SimulatedReply {
  const person = provider.person(grant.account);
  const found = allTrips(provider, person).find(({ day }) => `${tripId(person, day)}.json` === params.file);
  if (!found) return { status: 404, body: { error: "Not Found" } };
  return { status: 200, body: { trip: toDetailedTrip(person, found) } };
}

/** The trips that the user has recorded since an instant. */
function listChanges(provider: SimulatedProvider, { query, grant }: AuthorizedRequest): SimulatedReply {
  const text = query.get("since");
  const since = (parseInstant(text) ?? parseInstant(`${text}T00:00:00Z`))?.ms;
  if (since === undefined) return badRequest("since is not a datetime");
  const person = provider.person(grant.account);
  const changed = allTrips(provider, person).filter(({ workout }) => workout.endMs > since);
  const items = changed.map(({ day, workout }) => ({
    item_type: "trip",
    item_id: tripId(person, day),
    item_user_id: rideWithGpsUserId(grant.account),
    item_url: `https://${API}/trips/${tripId(person, day)}.json`,
    action: "created",
    datetime: new Date(workout.endMs).toISOString().replace(".000", ""),
    collection: null,
  }));
  const rwgps_datetime = new Date(provider.now()).toISOString();
  const next_sync_url = `https://${API}/sync.json?assets=trips&since=${encodeURIComponent(rwgps_datetime)}`;
  return { status: 200, body: { items: provider.applyDuplicates(items), meta: { rwgps_datetime, next_sync_url } } };
}
