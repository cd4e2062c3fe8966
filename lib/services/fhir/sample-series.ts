import { toCategory, toConcept } from "../../domain/fhir/measure.ts";
import { type SampleReference, sampleDigest, sampleObservationId } from "../../domain/fhir/observation-id.ts";
import type { Observation } from "../../domain/fhir/resources.ts";
import { toSampleObservation } from "../../domain/fhir/sample-observation.ts";
import { findSampleRow, type SampleRow, sampleRows } from "../../domain/fhir/sample-rows.ts";
import { startsWithin } from "../../domain/fhir/search-date.ts";
import { DAY_MS } from "../../domain/shared/durations.ts";
import { sampleAt } from "../../domain/timeseries/chunk/chunk-columns.ts";
import { getResource, type KnownResource, type ResourceName } from "../../domain/timeseries/resources.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { ChunkSlice } from "../../store/timeseries/chunk-slice.ts";
import type { ChunkStore } from "../../store/timeseries/chunks.ts";
import { firstIndexAfter, samplePosition, samplePositionOf } from "../timeseries/timeseries-page.ts";
import { type FoundResource, invalidPosition, type PagePosition, type Series } from "./fhir-page.ts";
import { isUpdated, matchesCodes, matchesDates, type ObservationFilter } from "./observation-filter.ts";

/** The longest interval that a search by date finds if it begins before the date. */
const LONGEST_SAMPLE_MS = 8 * DAY_MS;

/** Whose samples are read, and which of them. */
export interface SampleSearch {
  readonly chunks: Pick<ChunkStore, "read">;
  readonly scope: TeamScope;
  readonly userId: string;
  readonly filter: ObservationFilter;
}

/** The series of samples that can match a filter, one per resource. */
export function sampleSeries(search: SampleSearch): Series[] {
  const rows = sampleRows.filter((row) =>
    matchesCodes(search.filter, { code: toConcept(row), category: [toCategory(row.category)] }),
  );
  const byResource = Map.groupBy(rows, ({ resource }) => resource);
  return [...byResource].map(([name, ofResource]) => ({
    name,
    read: (after) => readSamples(search, getResource(name), ofResource, after),
  }));
}

async function* readSamples(
  { chunks, scope, userId, filter }: SampleSearch,
  resource: KnownResource,
  rows: readonly SampleRow[],
  position: PagePosition | undefined,
): AsyncGenerator<FoundResource> {
  const range = startsWithin(filter.dates, resource.kind === "interval" ? LONGEST_SAMPLE_MS : 0);
  if (range.toMs < range.fromMs) return;
  const after = position && samplePosition.safeParse(position).data;
  if (position && !after) throw invalidPosition();
  for await (const slice of chunks.read(scope, userId, resource, { range, after: after?.[0] })) {
    if (!mayBeUpdated(filter, slice)) continue;
    for (let index = firstIndexAfter(slice, after); index < slice.to; index++) {
      const found = observationAt(slice, index, resource.name, userId);
      if (!found || !rows.includes(found.row) || !matchesDates(filter, found.observation)) continue;
      yield { resource: found.observation, position: samplePositionOf(slice, index) };
    }
  }
}

/** Whether a batch of a chunk meets the conditions on changes. Most chunks of a long history need no conversion. */
const mayBeUpdated = ({ updates }: ObservationFilter, { columns }: ChunkSlice): boolean =>
  updates.length === 0 || columns.runs.some(({ receivedAt }) => isUpdated(updates, receivedAt));

/** Converts the sample at a position of a chunk; undefined for a type without a row. */
function observationAt(slice: ChunkSlice, index: number, resource: ResourceName, userId: string) {
  const { sk, columns, provider, sourceType: type, deviceId: device_id, appId: app_id } = slice;
  const sample = sampleAt(columns, index);
  const row = findSampleRow(resource, sample.subtype ?? sample.type);
  if (!row) return undefined;
  const digest = sampleDigest(sk.slice(sk.indexOf("#") + 1), sample.subtype ?? "");
  const origin = {
    id: sampleObservationId({ userId, resource, startMs: sample.start, digest }),
    userId,
    source: { provider, type, device_id, app_id },
    receivedAt: columns.runs[sample.run]?.receivedAt ?? sample.start,
  };
  return { row, digest, observation: toSampleObservation(row, sample, origin) };
}

/** Finds the Observation of a sample; undefined if it no longer exists. */
export async function findSampleObservation(
  { chunks, scope }: Pick<SampleSearch, "chunks" | "scope">,
  { userId, resource, startMs, digest }: SampleReference,
): Promise<Observation | undefined> {
  const range = { fromMs: startMs, toMs: startMs };
  for await (const slice of chunks.read(scope, userId, getResource(resource), { range })) {
    for (let index = slice.from; index < slice.to; index++) {
      const found = observationAt(slice, index, resource, userId);
      if (found?.digest === digest) return found.observation;
    }
  }
  return undefined;
}
