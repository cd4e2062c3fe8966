import { allTime } from "../domain/date-range.ts";
import { exportColumns, type SampleSlice } from "../domain/exports/columns.ts";
import { exportReadme } from "../domain/exports/readme.ts";
import type { SummaryKind } from "../domain/summaries/summary-kind.ts";
import { summaryKinds } from "../domain/summaries/summary-kinds.ts";
import type { TimeseriesResource } from "../domain/timeseries/resource.ts";
import { timeseriesResources } from "../domain/timeseries/resources.ts";
import { toWireUser, type UserRecord } from "../domain/user.ts";
import type { ChunkStore } from "../store/chunks.ts";
import type { SummaryStore } from "../store/summaries.ts";
import type { SummaryRecord } from "../store/summary-record.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { ArchiveFile } from "./export-archive.ts";
import { parquetFile } from "./parquet-file.ts";
import { wireSummaryOf } from "./summary-list.ts";
import { providerSource } from "./wire-source.ts";

interface ExportUses {
  readonly chunks: ChunkStore;
  readonly summaries: SummaryStore;
}

/**
 * Generates the files of an export: the user, one Parquet file per timeseries with samples, one JSON list per kind of
 * summary with records, and a readme. Streams each content from the store during the write.
 */
export async function* exportContents(
  { chunks, summaries }: ExportUses,
  scope: TeamScope,
  user: UserRecord,
): AsyncGenerator<ArchiveFile> {
  yield textFile("user.json", JSON.stringify(toWireUser(user, providerSource), null, 2));
  const resources: TimeseriesResource[] = [];
  for (const resource of timeseriesResources) {
    const slices = chunks.read(scope, user.user_id, resource, { range: allTime, isConsistent: true });
    const begun = await begin(slices);
    if (!begun) continue;
    resources.push(resource);
    yield samplesFile(resource, begun);
  }
  const kinds: string[] = [];
  for (const kind of summaryKinds) {
    const begun = await begin(summaries.each(scope, user.user_id, kind));
    if (!begun) continue;
    kinds.push(kind.name);
    yield summariesFile(kind, begun);
  }
  yield textFile("README.txt", exportReadme(resources, kinds));
}

/** Reads the first value of a generator. @returns a generator of all values; undefined for an empty one. */
async function begin<T>(values: AsyncGenerator<T>): Promise<AsyncGenerator<T> | undefined> {
  const first = await values.next();
  if (first.done) return undefined;
  return (async function* () {
    yield first.value;
    yield* values;
  })();
}

function textFile(name: string, text: string): ArchiveFile {
  const content = async function* () {
    yield Buffer.from(`${text.trimEnd()}\n`);
  };
  return { name, content: content(), isCompressed: false };
}

function samplesFile(resource: TimeseriesResource, slices: AsyncIterable<SampleSlice>): ArchiveFile {
  let records = 0;
  const counted = async function* () {
    for await (const slice of slices) {
      records += slice.to - slice.from;
      yield slice;
    }
  };
  const content = parquetFile(exportColumns(resource), counted());
  return { name: `${resource.name}.parquet`, content, isCompressed: true, records: () => records };
}

function summariesFile(kind: SummaryKind, summaries: AsyncIterable<SummaryRecord>): ArchiveFile {
  let records = 0;
  const content = async function* () {
    for await (const summary of summaries) {
      yield Buffer.from(`${records === 0 ? "[" : ","}\n${JSON.stringify(wireSummaryOf(kind, summary))}`);
      records++;
    }
    yield Buffer.from("\n]\n");
  };
  return { name: `${kind.name}.json`, content: content(), isCompressed: false, records: () => records };
}
