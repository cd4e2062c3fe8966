import { getItem, grants, queryItems } from "../../contract/access.ts";
import { chunks, summaries, users } from "../../contract/resources.ts";
import { userKeyAccess } from "../../contract/user-key-access.ts";
import { toCategory } from "../../domain/fhir/measure.ts";
import { parseObservationId } from "../../domain/fhir/observation-id.ts";
import type { OperationOutcome } from "../../domain/fhir/operation-outcome.ts";
import { mayReadResults } from "../../domain/fhir/resource-access.ts";
import type { BundleEntry, Observation } from "../../domain/fhir/resources.ts";
import { toResultObservations } from "../../domain/fhir/result-observation.ts";
import { matchesTokens } from "../../domain/fhir/search-token.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { Forbidden, NotFound } from "../../runtime/errors.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { Series } from "./fhir-page.ts";
import { findOrder, type Reader } from "./lab-resources.ts";
import { labSeries, requireLabAccess, searchLabAccess } from "./lab-series.ts";
import { matchesCodes, matchesDates, type ObservationFilter } from "./observation-filter.ts";
import { findSampleObservation, sampleSeries } from "./sample-series.ts";
import { findSummaryObservation, summarySeries } from "./summary-series.ts";

/** Grants to search what devices measured of a user: samples and summaries. */
export const searchMeasuredAccess = grants(
  [getItem(users), queryItems(chunks), queryItems(summaries), queryItems(summaries, "by_day")],
  userKeyAccess,
);
/** Grants to read one Observation of a sample or summary. */
export const findMeasuredAccess = grants(
  [getItem(users), queryItems(chunks), queryItems(summaries, "by_id")],
  userKeyAccess,
);

/** Grants to search the Observations of a user. */
export const searchObservationsAccess = grants(searchMeasuredAccess, searchLabAccess);
/** Grants to read one Observation. */
export const requireObservationAccess = grants(findMeasuredAccess, requireLabAccess);

export type MeasuredDependencies = Dependencies<"users" | "chunks" | "summaries">;

type ObservationDependencies = MeasuredDependencies & Dependencies<"orders" | "results">;

/** The series of samples and summaries of a user that can match a filter. */
export function measuredSeries(
  scope: TeamScope,
  userId: string,
  filter: ObservationFilter,
  { chunks, summaries }: MeasuredDependencies,
): Series[] {
  const about = { scope, userId, filter };
  return [...sampleSeries({ chunks, ...about }), ...summarySeries({ summaries, ...about })];
}

/** All series of Observations of a user that can match a filter. Without the scope of results, these are left out. */
export function observationSeries(
  reader: Reader,
  userId: string,
  filter: ObservationFilter,
  deps: ObservationDependencies,
): Series[] {
  const ofResults = labSeries("results", { ...reader, ...deps }, userId, {
    needsResult: true,
    resourcesOf: ({ reported }) => (reported ? matchingResults(toResultObservations(reported), filter) : []),
  });
  return [
    ...measuredSeries(reader.scope, userId, filter, deps),
    ...(canHaveResults(filter) && mayReadResults(reader.scopes) ? [ofResults] : []),
  ];
}

const matchingResults = (found: readonly Observation[], filter: ObservationFilter) =>
  found.filter((one) => matchesCodes(filter, one) && matchesDates(filter, one));

const resultCategory = toCategory("laboratory").coding ?? [];
const canHaveResults = ({ categories }: ObservationFilter) =>
  categories.every((tokens) => matchesTokens(tokens, resultCategory));

/** The entry that says why results are left out, if the search could have some. */
export function withheldResults({ scopes }: Reader, filter: ObservationFilter): BundleEntry[] {
  if (!canHaveResults(filter)) return [];
  if (!mayReadResults(scopes)) return [toOutcome("the key does not have the scope labs")];
  return filter.updates.length > 0 ? [toOutcome("nobody knows when they last changed")] : [];
}

function toOutcome(reason: string): BundleEntry {
  const diagnostics = `Results of orders are left out, because ${reason}.`;
  const outcome: OperationOutcome = {
    resourceType: "OperationOutcome",
    issue: [{ severity: "information", code: "suppressed", diagnostics }],
  };
  return { resource: outcome, search: { mode: "outcome" } };
}

/**
 * Reads the Observation with an id.
 * @throws NotFound for an unknown id, or one of a deleted user; Forbidden for a result without the scope of results.
 */
export async function requireObservation(
  reader: Reader,
  id: string,
  deps: ObservationDependencies,
): Promise<Observation> {
  const found = await findObservation(reader, id, deps);
  if (!found) throw new NotFound("There is no Observation with this id.");
  return found;
}

async function findObservation(reader: Reader, id: string, deps: ObservationDependencies) {
  const named = parseObservationId(id);
  if (named?.kind !== "result") return findMeasured(reader.scope, id, deps);
  if (!mayReadResults(reader.scopes)) throw new Forbidden("A result requires a key with the scope labs.");
  const { reported } = (await findOrder(reader, named.orderId, deps)) ?? {};
  const suffix = `lab-${named.digest}`;
  return reported && toResultObservations(reported).find((one) => one.id.endsWith(suffix));
}

/** Finds the Observation of a sample or summary of an active user. */
export async function findMeasured(
  scope: TeamScope,
  id: string,
  { users, chunks, summaries }: MeasuredDependencies,
): Promise<Observation | undefined> {
  const named = parseObservationId(id);
  if (named?.kind === "sample") {
    const user = await users.get(scope, named.userId);
    return user && findSampleObservation({ chunks, scope }, named);
  }
  const found = named?.kind === "summary" ? await findSummaryObservation(summaries, scope, named) : undefined;
  return found && (await users.get(scope, found.userId)) ? found.observation : undefined;
}
