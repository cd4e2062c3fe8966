import { gzipSync } from "node:zlib";
import {
  conditionCheckItem,
  deleteItem,
  getItem,
  getObject,
  grants,
  putItem,
  putObject,
  queryItems,
  updateItem,
} from "../../contract/access.ts";
import { labReports, outbox, reportAliases, reportFiles, users } from "../../contract/resources.ts";
import type { ReportPage } from "../../domain/lab-reports/page/report-page.ts";
import {
  type FailureReason,
  MAX_PARSE_RUNS,
  type ReportContent,
  type ReportJob,
  type ReportMessage,
  reportFileKey,
  reportPagesKey,
  toFinishedJob,
} from "../../domain/lab-reports/report-job.ts";
import type { ExtractedReport, ExtractReport } from "../../domain/lab-reports/report-reader.ts";
import type { PackedCatalogue } from "../../domain/lab-tests/packed-catalogue.ts";
import { labReportEvent } from "../../events/constructors/lab-report-events.ts";
import type { Bucket } from "../../runtime/aws/bucket.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { isoNow, ports } from "../../runtime/ports.ts";
import { ItemTooLarge } from "../../store/compressed-json.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { OutboxStore } from "../../store/events/outbox.ts";
import type { LabReportStore } from "../../store/lab-reports/lab-reports.ts";
import type { ReportAliasStore } from "../../store/lab-reports/report-aliases.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users/users.ts";

/** Dependencies of parsing a report. */
export type ParseReportJobDependencies = Dependencies<"commit"> & {
  readonly users: Pick<UserStore, "get" | "requireActiveItem">;
  readonly labReports: Pick<LabReportStore, "claim" | "release" | "completeItems" | "acquireReader" | "releaseReader">;
  readonly reportAliases: Pick<ReportAliasStore, "list">;
  readonly reportFiles: Pick<Bucket, "get" | "put">;
  readonly outbox: Pick<OutboxStore, "appendItem">;
  readonly catalogue: () => Promise<PackedCatalogue>;
  readonly readReport: ExtractReport;
};

/** Grants of {@link parseReportJob}. */
export const parseReportJobAccess = grants(
  [getItem(users), conditionCheckItem(users)],
  [putItem(labReports), updateItem(labReports), deleteItem(labReports), queryItems(reportAliases)],
  [getObject(reportFiles), putObject(reportFiles), putItem(outbox)],
);

/** Outcome of a run: the failure reason, or the extracted content. */
type Outcome = { readonly failure: FailureReason } | (ReportContent & { readonly isDoubtful: boolean });

/**
 * Parses a report under a lease. If a run dies or ends without an outcome, the next run takes over. The job fails after
 * a few such runs, which bounds the damage of a report that crashes its reader. A team has a limited number of
 * concurrent readers.
 */
export async function parseReportJob(
  scope: TeamScope,
  { job_id }: ReportMessage,
  deps: ParseReportJobDependencies,
): Promise<void> {
  const reader = await deps.labReports.acquireReader(scope, ports().ids.uuid(), ports().clock.now());
  // All readers of the team are busy: the sweeper retries the job.
  if (!reader) return;
  try {
    await runJob(scope, job_id, deps);
  } finally {
    await deps.labReports.releaseReader(scope, reader);
  }
}

async function runJob(scope: TeamScope, job_id: string, deps: ParseReportJobDependencies): Promise<void> {
  const job = await deps.labReports.claim(scope, job_id, ports().clock.now());
  if (!job) return;
  try {
    const isGivenUp = job.attempts > MAX_PARSE_RUNS;
    await endJob(scope, job, isGivenUp ? { failure: "processing_error" } : await readOutcome(scope, job, deps), deps);
  } catch (error) {
    await deps.labReports.release(scope, job, ports().clock.now());
    throw error;
  }
}

async function readOutcome(scope: TeamScope, job: ReportJob, deps: ParseReportJobDependencies): Promise<Outcome> {
  // Do not read reports of a user who was deleted meanwhile.
  if (!(await deps.users.get(scope, job.user_id))) return { failure: "processing_error" };
  const files = await Promise.all(job.files.map((_, place) => deps.reportFiles.get(reportFileKey(job, place))));
  const [{ results }, learned] = await Promise.all([deps.catalogue(), deps.reportAliases.list(scope)]);
  const read = await deps.readReport(files, { results, learned, submittedOn: job.created_at.slice(0, 10) });
  if ("refusal" in read) return { failure: read.reason };
  await storePages(job, read.pages, deps.reportFiles);
  return toOutcome(read.parsed);
}

function toOutcome({ data, doubts, isDoubtful }: ExtractedReport["parsed"]): Outcome {
  const byRow = Map.groupBy(doubts, ({ row }) => row);
  const ofRow = (place: number) => (byRow.get(place) ?? []).map(({ reason }) => reason);
  return { data, doubts: data.results.map((_, place) => ofRow(place)), isDoubtful };
}

const storePages = (job: ReportJob, pages: readonly ReportPage[], files: ParseReportJobDependencies["reportFiles"]) =>
  files.put(reportPagesKey(job), gzipSync(JSON.stringify(pages)));

/** Writes the outcome with its event. Leaves out the event if the user was deleted meanwhile. */
async function endJob(
  scope: TeamScope,
  job: ReportJob,
  outcome: Outcome,
  deps: ParseReportJobDependencies,
): Promise<void> {
  const { users, labReports, outbox, commit } = deps;
  const at = isoNow();
  const read = "failure" in outcome ? undefined : { data: outcome.data, doubts: outcome.doubts };
  const after = toFinishedJob(job, outcome);
  const user = await users.get(scope, job.user_id);
  try {
    const items = labReports.completeItems(scope, job, after, read, at);
    if (!user) return await commit(items);
    const appendedEvent = outbox.appendItem(labReportEvent(user, after, read), at);
    await commit([users.requireActiveItem(scope, job.user_id), ...items, appendedEvent]);
  } catch (error) {
    if (error instanceof ItemTooLarge) return endJob(scope, job, { failure: "processing_error" }, deps);
    if (!(error instanceof ConditionFailed)) throw error;
    // Item 0 failed: the user was just deleted. Otherwise another run has ended the job.
    if (user && error.items.has(0)) await endJob(scope, job, { failure: "processing_error" }, deps);
  }
}
