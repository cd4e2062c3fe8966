import type * as z from "zod";
import { toPatient } from "../../domain/fhir/patient.ts";
import { mayRead } from "../../domain/fhir/resource-access.ts";
import { parseDateCondition } from "../../domain/fhir/search-date.ts";
import {
  type everythingQuery,
  labResourceDates,
  labResourceTypes,
  type PatientType,
  patientTypes,
} from "../../domain/fhir/search-query.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ValidationFailed } from "../../runtime/errors.ts";
import type { Series } from "./fhir-page.ts";
import { labResourceSeries, type Reader } from "./lab-resources.ts";
import type { ObservationFilter } from "./observation-filter.ts";
import { observationSeries } from "./observations.ts";
import { deviceSeries, provenanceSeries } from "./source-series.ts";

type EverythingQuery = z.output<typeof everythingQuery>;
type EverythingDependencies = Dependencies<"users" | "userInfos" | "chunks" | "summaries" | "orders" | "results">;

/** The requested types. Provenance is as large as all Observations, so it comes only on request. */
function requestedTypes({ _type }: EverythingQuery): readonly PatientType[] {
  if (!_type) return patientTypes.filter((type) => type !== "Provenance");
  const names = _type.flatMap((text) => text.split(","));
  const unknown = names.some((name) => !(patientTypes as readonly string[]).includes(name));
  if (unknown) throw ValidationFailed.at(["query", "_type"], `Not types among ${patientTypes.join(", ")}`);
  return names as PatientType[];
}

/** The dates of a query, with the prefixes of a search. */
function requestedDates({ start = [], end = [] }: EverythingQuery): string[] {
  const prefixed = [...start.map((date) => `ge${date}`), ...end.map((date) => `le${date}`)];
  const isDate = (text: string) => parseDateCondition(text) !== undefined;
  if (!prefixed.every(isDate)) throw ValidationFailed.at(["query", start.length > 0 ? "start" : "end"], "Not a date");
  return prefixed;
}

/**
 * All series of resources of a user: the Patient, Devices, orders and results, then Observations.
 * @throws ValidationFailed for a malformed value.
 */
export function everythingSeries(
  reader: Reader,
  user: UserRecord,
  query: EverythingQuery,
  deps: EverythingDependencies,
): { series: Series[]; filter: ObservationFilter } {
  const types = requestedTypes(query);
  const date = requestedDates(query);
  return { series: seriesOfTypes(reader, user, types, date, deps), filter: filterByDates(date) };
}

const filterByDates = (dates: readonly string[]): ObservationFilter => ({
  codes: [],
  categories: [],
  dates: dates.flatMap((text) => parseDateCondition(text) ?? []),
  updates: [],
});

/** The series of some types of a user, in the order of all types. @param date bounds, as a search has them. */
export function seriesOfTypes(
  reader: Reader,
  user: UserRecord,
  types: readonly PatientType[],
  date: readonly string[],
  deps: EverythingDependencies,
): Series[] {
  const { user_id: userId } = user;
  const observations = observationSeries(reader, userId, filterByDates(date), deps);
  const ofLabs = labResourceTypes.map((type) =>
    labResourceSeries(type, { ...reader, ...deps }, userId, date.length > 0 ? { [labResourceDates[type]]: date } : {}),
  );
  const byType: Readonly<Record<PatientType, readonly Series[]>> = {
    Patient: [patientSeries(reader, user, deps)],
    Device: [deviceSeries({ summaries: deps.summaries, scope: reader.scope, userId })],
    ...(Object.fromEntries(labResourceTypes.map((type, index) => [type, ofLabs.slice(index, index + 1)])) as Record<
      (typeof labResourceTypes)[number],
      Series[]
    >),
    Observation: observations,
    Provenance: observations.map(provenanceSeries),
  };
  return patientTypes
    .filter((type) => types.includes(type) && mayRead(reader.scopes, type, "s"))
    .flatMap((type) => byType[type]);
}

const patientSeries = ({ scope }: Reader, user: UserRecord, { userInfos }: EverythingDependencies): Series => ({
  name: "Patient",
  async *read(after) {
    if (after) return;
    yield { resource: toPatient(user, await userInfos.get(scope, user.user_id)), position: [] };
  },
});
