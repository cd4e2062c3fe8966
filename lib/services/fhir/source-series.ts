import * as z from "zod";
import { toDevice } from "../../domain/fhir/device.ts";
import { toProvenance } from "../../domain/fhir/provenance.ts";
import type { FhirResource, Observation } from "../../domain/fhir/resources.ts";
import { matchesTokens, type Token } from "../../domain/fhir/search-token.ts";
import { systems } from "../../domain/fhir/systems.ts";
import { devices } from "../../domain/summaries/devices.ts";
import type { SummaryStore } from "../../store/summaries/summaries.ts";
import type { SummaryRecord } from "../../store/summaries/summary-record.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { type FoundResource, invalidPosition, type PagePosition, type Series } from "./fhir-page.ts";

/** Converts a stored device. */
export function toStoredDevice(record: SummaryRecord): FhirResource {
  const { provider, source_type: type, device_id, app_id = null } = record;
  return toDevice({ ...record, source: { provider, type, device_id, app_id } });
}

const devicePosition = z.tuple([z.string()]);

/** The series of the devices of a user, by id. @param identifiers alternatives of each occurrence of `identifier`. */
export function deviceSeries(
  { summaries, scope, userId }: { summaries: Pick<SummaryStore, "listAll">; scope: TeamScope; userId: string },
  identifiers: readonly (readonly Token[])[] = [],
): Series {
  const matches = ({ fields }: SummaryRecord) => {
    const coding = { system: systems.deviceId, code: String(fields.device_id) };
    return identifiers.every((tokens) => matchesTokens(tokens, [coding]));
  };
  return {
    name: "Device",
    async *read(position: PagePosition | undefined): AsyncGenerator<FoundResource> {
      const after = position && devicePosition.safeParse(position).data;
      if (position && !after) throw invalidPosition();
      const [lastId = ""] = after ?? [];
      const found = (await summaries.listAll(scope, userId, devices)).filter(({ id }) => id > lastId).filter(matches);
      for (const record of found.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
        yield { resource: toStoredDevice(record), position: [record.id] };
    },
  };
}

/** The Provenances of the Observations of a series, in the same order. */
export const provenanceSeries = (observations: Series): Series => ({
  name: `Provenance ${observations.name}`,
  async *read(after) {
    for await (const { resource, position } of observations.read(after)) {
      const provenance = toProvenance(resource as Observation);
      if (provenance) yield { resource: provenance, position };
    }
  },
});
