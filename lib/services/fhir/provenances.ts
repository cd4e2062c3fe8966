import { grants } from "../../contract/access.ts";
import { toProvenance } from "../../domain/fhir/provenance.ts";
import type { FhirResource } from "../../domain/fhir/resources.ts";
import { parseTarget } from "../../domain/fhir/search-query.ts";
import { NotFound, ValidationFailed } from "../../runtime/errors.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { Series } from "./fhir-page.ts";
import {
  findMeasured,
  findMeasuredAccess,
  type MeasuredDependencies,
  measuredSeries,
  searchMeasuredAccess,
} from "./observations.ts";
import { requirePatient } from "./search-call.ts";
import { provenanceSeries } from "./source-series.ts";

/** Grants of {@link searchProvenances}. */
export const provenanceAccess = grants(searchMeasuredAccess, findMeasuredAccess);

/** Reads the Provenance of an Observation. @throws NotFound for an unknown id, and for a result of an order. */
export async function requireProvenance(
  scope: TeamScope,
  id: string,
  deps: MeasuredDependencies,
): Promise<FhirResource> {
  const observation = await findMeasured(scope, id, deps);
  const provenance = observation && toProvenance(observation);
  if (!provenance) throw new NotFound("There is no Provenance with this id.");
  return provenance;
}

type Given = readonly string[] | undefined;

/**
 * The series of the Provenances of a user, or of one Observation; none for an unknown user.
 * @throws ValidationFailed without a patient or target.
 */
export async function searchProvenances(
  scope: TeamScope,
  { patient, target }: { patient?: Given; target?: Given },
  deps: MeasuredDependencies,
): Promise<Series[]> {
  const userId = patient && requirePatient(patient);
  const isUnknown = userId !== undefined && !(await deps.users.get(scope, userId));
  if (!target) {
    if (!userId) throw ValidationFailed.at(["query", "patient"], "Required without target");
    const filter = { codes: [], categories: [], dates: [], updates: [] };
    return isUnknown ? [] : measuredSeries(scope, userId, filter, deps).map(provenanceSeries);
  }
  const [id, ...others] = target.map(parseTarget);
  if (!id || others.length > 0) throw ValidationFailed.at(["query", "target"], "Not a reference to one Observation");
  return isUnknown ? [] : [targetSeries(scope, id, userId, deps)];
}

const targetSeries = (
  scope: TeamScope,
  id: string,
  userId: string | undefined,
  deps: MeasuredDependencies,
): Series => ({
  name: "target",
  async *read(after) {
    if (after) return;
    const observation = await findMeasured(scope, id, deps);
    if (!observation) return;
    const isOfUser = userId === undefined || observation.subject.reference === `Patient/${userId}`;
    const provenance = isOfUser && toProvenance(observation);
    if (provenance) yield { resource: provenance, position: [] };
  },
});
