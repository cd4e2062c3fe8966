import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { SampleBatch } from "../../ingest/batch.ts";
import { type Sample, sampleKey } from "../../timeseries/chunk/sample.ts";

const count = z.int();
/** Numbers of records of a resource, by what another mapping makes of them. */
export const mappingCounts = z
  .object({
    same: count,
    changed: count,
    added: count.describe("Records that only the new mapping gives"),
    gone: count.describe("Records that only the earlier mapping gave"),
  })
  .meta({ id: "MappingCounts" });
export type MappingCounts = z.output<typeof mappingCounts>;

/** The difference of two mappings of the same payloads. */
export interface MappingDifference {
  readonly counts: Readonly<Record<string, MappingCounts>>;
  /** Deletions of the samples that only the earlier mapping gave. Summaries and streams cannot be deleted. */
  readonly deletions: readonly SampleBatch[];
}

/** A record of a mapping, with what identifies it in storage. */
interface MappedRecord {
  readonly resource: string;
  readonly batch: SampleBatch;
  readonly sample?: Sample;
  readonly content: unknown;
}

/** Compares two mappings of the same payloads, record by record. The last record of a key counts. */
export function compareMappings(before: readonly SampleBatch[], after: readonly SampleBatch[]): MappingDifference {
  const [old, now] = [recordsByKey(before), recordsByKey(after)];
  const counts: Record<string, MappingCounts> = {};
  const add = (resource: string, name: keyof MappingCounts) => {
    counts[resource] ??= { same: 0, changed: 0, added: 0, gone: 0 };
    counts[resource][name]++;
  };
  for (const [key, { resource, content }] of now) {
    const earlier = old.get(key);
    if (!earlier) add(resource, "added");
    else add(resource, isDeepStrictEqual(earlier.content, content) ? "same" : "changed");
  }
  const gone = [...old].flatMap(([key, record]) => (now.has(key) ? [] : [record]));
  for (const { resource } of gone) add(resource, "gone");
  return { counts, deletions: toDeletions(gone) };
}

/** Whether a mapping differs in any record of a resource. */
export const isDifferent = ({ changed, added, gone }: MappingCounts): boolean => changed + added + gone > 0;

/** Adds up counts by resource. */
export function addCounts(
  one: Readonly<Record<string, MappingCounts>>,
  other: Readonly<Record<string, MappingCounts>>,
): Record<string, MappingCounts> {
  const sum = { ...one };
  for (const [resource, { same, changed, added, gone }] of Object.entries(other)) {
    const known = sum[resource] ?? { same: 0, changed: 0, added: 0, gone: 0 };
    sum[resource] = {
      same: known.same + same,
      changed: known.changed + changed,
      added: known.added + added,
      gone: known.gone + gone,
    };
  }
  return sum;
}

/** The batch limited to some resources. */
export function selectResources(batch: SampleBatch, names: ReadonlySet<string>): SampleBatch {
  const of = <T>(all: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
  return { ...batch, samples: of(batch.samples), summaries: of(batch.summaries), streams: of(batch.streams) };
}

function recordsByKey(batches: readonly SampleBatch[]): Map<string, MappedRecord> {
  const records = new Map<string, MappedRecord>();
  for (const batch of batches) {
    const source = [batch.source_type, batch.device_id, batch.app_id];
    const put = (list: string, resource: string, key: string, record: Omit<MappedRecord, "resource" | "batch">) =>
      records.set(JSON.stringify([list, resource, ...source, key]), { resource, batch, ...record });
    for (const [name, all] of Object.entries(batch.samples))
      for (const sample of all) put("samples", name, sampleKey(sample), { sample, content: sample });
    for (const [name, all] of Object.entries(batch.summaries))
      for (const one of all) put("summaries", name, one.key, { content: one });
    for (const [name, all] of Object.entries(batch.streams))
      for (const one of all) put("streams", name, one.providerId, { content: one });
  }
  return records;
}

function toDeletions(gone: readonly MappedRecord[]): SampleBatch[] {
  const deleted = gone.filter(({ sample }) => sample !== undefined);
  return [...Map.groupBy(deleted, ({ batch }) => batch)].map(([batch, records]) => ({
    ...batch,
    samples: Object.fromEntries(
      [...Map.groupBy(records, ({ resource }) => resource)].map(([name, own]) => [name, own.map(toDeletion)]),
    ),
    summaries: {},
    streams: {},
  }));
}

/** The deletion of a sample. It keeps what identifies the sample. */
function toDeletion({ sample }: MappedRecord): Sample {
  const { start, offsetS, subtype, type } = sample as Sample;
  return { start, value: null, offsetS, type, ...(subtype === undefined ? {} : { subtype }), isDeleted: true };
}
