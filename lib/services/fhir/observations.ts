import { getItem, grants, queryItems } from "../../contract/access.ts";
import { chunks, summaries, users } from "../../contract/resources.ts";
import { userKeyAccess } from "../../contract/user-key-access.ts";
import { parseObservationId } from "../../domain/fhir/observation-id.ts";
import type { Observation } from "../../domain/fhir/resources.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { NotFound } from "../../runtime/errors.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { Series } from "./fhir-page.ts";
import type { ObservationFilter } from "./observation-filter.ts";
import { findSampleObservation, sampleSeries } from "./sample-series.ts";
import { findSummaryObservation, summarySeries } from "./summary-series.ts";

/** Grants to search the Observations of a user. */
export const searchObservationsAccess = grants(
  [getItem(users), queryItems(chunks), queryItems(summaries), queryItems(summaries, "by_day")],
  userKeyAccess,
);

/** Grants to read one Observation. */
export const requireObservationAccess = grants(
  [getItem(users), queryItems(chunks), queryItems(summaries, "by_id")],
  userKeyAccess,
);

type ObservationDependencies = Dependencies<"users" | "chunks" | "summaries">;

/** All series of Observations of a user that can match a filter. */
export function observationSeries(
  scope: TeamScope,
  userId: string,
  filter: ObservationFilter,
  { chunks, summaries }: ObservationDependencies,
): Series[] {
  const about = { scope, userId, filter };
  return [...sampleSeries({ chunks, ...about }), ...summarySeries({ summaries, ...about })];
}

/** Reads the Observation with an id. @throws NotFound for an unknown id, or one of a deleted user. */
export async function requireObservation(
  scope: TeamScope,
  id: string,
  deps: ObservationDependencies,
): Promise<Observation> {
  const found = await findObservation(scope, id, deps);
  if (!found) throw new NotFound("There is no Observation with this id.");
  return found;
}

async function findObservation(scope: TeamScope, id: string, deps: ObservationDependencies) {
  const named = parseObservationId(id);
  if (named?.kind === "sample") {
    if (!(await deps.users.get(scope, named.userId))) return undefined;
    return findSampleObservation({ chunks: deps.chunks, scope }, named);
  }
  const found = named?.kind === "summary" ? await findSummaryObservation(deps.summaries, scope, named) : undefined;
  return found && (await deps.users.get(scope, found.userId)) ? found.observation : undefined;
}
