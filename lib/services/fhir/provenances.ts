import { grants } from "../../contract/access.ts";
import { toProvenance } from "../../domain/fhir/provenance.ts";
import type { FhirResource } from "../../domain/fhir/resources.ts";
import { parseTarget } from "../../domain/fhir/search-query.ts";
import { NotFound, ValidationFailed } from "../../runtime/errors.ts";
import type { Series } from "./fhir-page.ts";
import type { Reader } from "./lab-resources.ts";
import {
  type ObservationDependencies,
  observationSeries,
  requireObservation,
  requireObservationAccess,
  searchObservationsAccess,
} from "./observations.ts";
import { requireUser } from "./require-user.ts";
import { requirePatient } from "./search-call.ts";
import { provenanceSeries } from "./source-series.ts";

/** Grants of {@link searchProvenances}. */
export const provenanceAccess = grants(searchObservationsAccess, requireObservationAccess);

/** Reads the Provenance of an Observation. @throws NotFound for an unknown id; as {@link requireObservation} */
export async function requireProvenance(
  reader: Reader,
  id: string,
  deps: ObservationDependencies,
): Promise<FhirResource> {
  const provenance = toProvenance(await requireObservation(reader, id, deps));
  if (!provenance) throw new NotFound("There is no Provenance with this id.");
  return provenance;
}

type Given = readonly string[] | undefined;

/**
 * The series of the Provenances of a user, or of one Observation.
 * @throws ValidationFailed without a patient or target; UserNotFound and NotFound for unknown ones.
 */
export async function searchProvenances(
  reader: Reader,
  { patient, target }: { patient?: Given; target?: Given },
  deps: ObservationDependencies,
): Promise<Series[]> {
  const userId = patient && requirePatient(patient);
  if (userId) await requireUser(reader.scope, userId, deps.users);
  if (!target) {
    if (!userId) throw ValidationFailed.at(["query", "patient"], "Required without target");
    const filter = { codes: [], categories: [], dates: [] };
    return observationSeries(reader, userId, filter, deps).map(provenanceSeries);
  }
  const [id, ...others] = target.map(parseTarget);
  if (!id || others.length > 0) throw ValidationFailed.at(["query", "target"], "Not a reference to one Observation");
  return [targetSeries(reader, id, userId, deps)];
}

const targetSeries = (
  reader: Reader,
  id: string,
  userId: string | undefined,
  deps: ObservationDependencies,
): Series => ({
  name: "target",
  async *read(after) {
    if (after) return;
    const observation = await requireObservation(reader, id, deps);
    const isOfUser = userId === undefined || observation.subject.reference === `Patient/${userId}`;
    const provenance = isOfUser && toProvenance(observation);
    if (provenance) yield { resource: provenance, position: [] };
  },
});
