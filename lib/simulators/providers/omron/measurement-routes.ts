import { parseInstant } from "../../../domain/shared/instant.ts";
import { formatOffset, formatWallTime } from "../base/local-time.ts";
import {
  type AuthorizedRequest,
  authorizedRoute,
  parseForm,
  publicRoute,
  type Route,
  type SimulatedReply,
} from "../base/simulated-http.ts";
import type { SimulatedProvider } from "../base/simulated-provider.ts";
import { stableNumber } from "../base/stable-ids.ts";
import type { SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { type CuffReading, listCuffReadings } from "./omron-expected-records.ts";

const [DEFAULT_LIMIT, MAX_LIMIT] = [20, 1_000];

type Fail = (status: number, reason: string) => SimulatedReply;

/** Routes of measurements and of the revocation of tokens. */
export function measurementRoutes(provider: SimulatedProvider, api: string, oauthHost: string, fail: Fail): Route[] {
  return [
    authorizedRoute("POST", `${api}/measurement`, ["bloodpressure"], (call) => listMeasurements(provider, call, fail)),
    publicRoute("POST", `${oauthHost}/connect/revocation`, (call) => {
      const account = provider.tokens.findAccount(parseForm(call).get("token") ?? "");
      if (account !== undefined) provider.tokens.revoke(account);
      return { status: 200 };
    }),
  ];
}

/** Readings since an instant or a date (UTC), ascending by default, up to a limit beyond which they are truncated. */
function listMeasurements(provider: SimulatedProvider, call: AuthorizedRequest, fail: Fail): SimulatedReply {
  const form = parseForm(call);
  const since = form.get("since") ?? "";
  const sinceMs = (parseInstant(since) ?? parseInstant(`${since}T00:00:00Z`))?.ms;
  const limit = Number(form.get("limit") ?? DEFAULT_LIMIT);
  if (sinceMs === undefined) return fail(400, "The field since is required");
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) return fail(400, "The field limit is invalid");
  const person = provider.person(call.grant.account);
  const isWanted = (form.get("type") ?? "bloodpressure") === "bloodpressure";
  const days = person.days(sinceMs, provider.now());
  const all = isWanted ? listCuffReadings(person, days, provider.now()).filter(({ atMs }) => atMs >= sinceMs) : [];
  if (form.get("sortOrder") === "desc") all.reverse();
  const page = all.slice(0, limit);
  const truncated = all.length > limit;
  const result = {
    truncated,
    bloodPressure: provider.applyDuplicates(page.map((one) => toMeasurement(person, one))),
    activity: [],
    weight: [],
    nextPaginationKey: truncated ? String(page.at(-1)?.atMs) : null,
    measurementCount: page.length,
  };
  return { status: 200, body: { status: 0, result } };
}

function toMeasurement(person: SyntheticPerson, { atMs, systolic, diastolic, pulse }: CuffReading) {
  const offsetS = person.zone.offsetS(atMs);
  return {
    id: stableNumber(`omron ${person.account} ${atMs}`),
    dateTime: new Date(atMs).toISOString().replace(".000", ""),
    dateTimeLocal: formatWallTime(atMs, offsetS).slice(0, 19),
    dateTimeUtcOffset: formatOffset(offsetS),
    systolic,
    diastolic,
    bloodPressureUnits: "mmHg",
    pulse,
    pulseUnits: "bpm",
    deviceType: "BP7250",
  };
}
