import { getItem, grants, queryItems } from "../../contract/access.ts";
import { chunks, users } from "../../contract/resources.ts";
import { userKeyAccess } from "../../contract/user-key-access.ts";
import { parseObservationId } from "../../domain/fhir/observation-id.ts";
import type { Observation } from "../../domain/fhir/resources.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { NotFound } from "../../runtime/errors.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { Series } from "./fhir-page.ts";
import type { ObservationFilter } from "./observation-filter.ts";
import { findSampleObservation, sampleSeries } from "./sample-series.ts";

/** Grants to read the Observations of a user. */
export const observationAccess = grants(getItem(users), queryItems(chunks), userKeyAccess);

type ObservationDependencies = Dependencies<"users" | "chunks">;

/** All series of Observations of a user that can match a filter. */
export function observationSeries(
  scope: TeamScope,
  userId: string,
  filter: ObservationFilter,
  { chunks }: ObservationDependencies,
): Series[] {
  return sampleSeries({ chunks, scope, userId, filter });
}

const observationNotFound = () => new NotFound("There is no Observation with this id.");

/** Reads the Observation with an id. @throws NotFound for an unknown id, or one of a deleted user. */
export async function requireObservation(
  scope: TeamScope,
  id: string,
  { users, chunks }: ObservationDependencies,
): Promise<Observation> {
  const named = parseObservationId(id);
  if (named?.kind !== "sample" || !(await users.get(scope, named.userId))) throw observationNotFound();
  const found = await findSampleObservation({ chunks, scope }, named);
  if (!found) throw observationNotFound();
  return found;
}
