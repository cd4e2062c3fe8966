import { exportColumns } from "../../domain/exports/export-columns.ts";
import { exportReadme } from "../../domain/exports/export-readme.ts";
import { allTime } from "../../domain/shared/date-range.ts";
import type { SummaryKind } from "../../domain/summaries/summary-kind.ts";
import { summaryKinds } from "../../domain/summaries/summary-kinds.ts";
import type { SampleSlice } from "../../domain/timeseries/chunk/sample-slice.ts";
import type { TimeseriesResource } from "../../domain/timeseries/resource.ts";
import { timeseriesResources } from "../../domain/timeseries/resources.ts";
import { toWireUser, type UserRecord } from "../../domain/users/user.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { providerSource } from "../../runtime/wire-source.ts";
import type { SummaryRecord } from "../../store/summaries/summary-record.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { toWireStoredSummary } from "../summaries/list-summaries.ts";
import type { ArchiveFile } from "./export-archive.ts";
import { encodeSamplesParquet } from "./parquet-file.ts";

type ExportContentsDependencies = Dependencies<"chunks" | "summaries">;

/**
 * Generates the files of an export: the user, one Parquet file per timeseries with samples, one JSON list per kind of
 * summary with records, and a readme. Streams each content from the store during the write.
 */
export async function* generateExportFiles(
  { chunks, summaries }: ExportContentsDependencies,
  scope: TeamScope,
  user: UserRecord,
): AsyncGenerator<ArchiveFile> {
  yield textFile("user.json", JSON.stringify(toWireUser(user, providerSource), null, 2));
  const resources: TimeseriesResource[] = [];
  for (const resource of timeseriesResources) {
    const slices = chunks.read(scope, user.user_id, resource, { range: allTime, isConsistent: true });
    const begun = await unlessEmpty(slices);
    if (!begun) continue;
    resources.push(resource);
    yield samplesFile(resource, begun);
  }
  const kinds: string[] = [];
  for (const kind of summaryKinds) {
    const begun = await unlessEmpty(summaries.iterate(scope, user.user_id, kind));
    if (!begun) continue;
    kinds.push(kind.name);
    yield summariesFile(kind, begun);
  }
  yield textFile("README.txt", exportReadme(resources, kinds));
}

/** Reads the first value of a generator. @returns a generator of all values; undefined for an empty one. */
async function unlessEmpty<T>(values: AsyncGenerator<T>): Promise<AsyncGenerator<T> | undefined> {
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
  const content = encodeSamplesParquet(exportColumns(resource), counted());
  return { name: `${resource.name}.parquet`, content, isCompressed: true, records: () => records };
}

function summariesFile(kind: SummaryKind, summaries: AsyncIterable<SummaryRecord>): ArchiveFile {
  let records = 0;
  const content = async function* () {
    for await (const summary of summaries) {
      yield Buffer.from(`${records === 0 ? "[" : ","}\n${JSON.stringify(toWireStoredSummary(kind, summary))}`);
      records++;
    }
    yield Buffer.from("\n]\n");
  };
  return { name: `${kind.name}.json`, content: content(), isCompressed: false, records: () => records };
}
