import { timeseriesResources } from "../../lib/domain/timeseries/resources.ts";
import { ingestBatch } from "../local/service/ingest/ingest-batch.ts";
import { summaryExamples } from "../local/service/summaries/summary-examples.ts";
import { plausibleRecord } from "../local/service/timeseries/plausible-record.ts";
import type { TestService } from "../support/service.ts";
import type { DocumentedPaths } from "./example-recorder.ts";

const DAY = "start_date=2026-05-01&end_date=2026-05-02";

/** Reads every documented path of a user's data, for a user with a record of each resource and summary. */
export async function callEveryRead(service: TestService, paths: DocumentedPaths): Promise<void> {
  const userId = await service.createUser("everything");
  const samples = timeseriesResources.map((one) => [one.name, [plausibleRecord(one)]]);
  await ingestBatch(service, userId, Object.fromEntries(samples));
  const summaries = Object.entries(summaryExamples).map(([name, { record }]) => [name, [record]]);
  await ingestBatch(service, userId, Object.fromEntries(summaries));
  for (const [path, methods] of Object.entries(paths)) {
    const variables = [...path.matchAll(/\{\w+\}/g)].map(([name]) => name);
    if (!("get" in methods) || !/^\/v2\/(?:timeseries|summary)\//.test(path) || variables.length !== 1) continue;
    await service.call("GET", `${path.replace("{user_id}", userId)}?${DAY}`);
  }
}
