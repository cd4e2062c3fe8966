import { gzipSync } from "node:zlib";
import {
  type FailureReason,
  fileKey,
  MOST_RUNS,
  pagesKey,
  parsedJob,
  type ReadReport,
  type ReportJob,
  type ReportMessage,
} from "../../domain/lab-reports/report-job.ts";
import type { ReportPage } from "../../domain/lab-reports/report-page.ts";
import type { ReadWholeReport, UnderstoodReport } from "../../domain/lab-reports/report-reader.ts";
import type { PackedCatalogue } from "../../domain/lab-tests/packed-catalogue.ts";
import { reportEvent } from "../../events/report-events.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { LabReportStore } from "../../store/lab-reports/lab-reports.ts";
import type { ReportAliasStore } from "../../store/lab-reports/report-aliases.ts";
import type { OutboxStore } from "../../store/outbox.ts";
import { TooLarge } from "../../store/results/packed.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { UserStore } from "../../store/users.ts";
import type { Bucket } from "../bucket.ts";
import { isoNow, ports } from "../ports.ts";

/** Dependencies of parsing a report. */
export interface ParsingUses {
  readonly users: Pick<UserStore, "get" | "requireActiveItem">;
  readonly labReports: Pick<LabReportStore, "claim" | "release" | "endItems" | "takeReader" | "freeReader">;
  readonly reportAliases: Pick<ReportAliasStore, "list">;
  readonly reportFiles: Pick<Bucket, "load" | "keep">;
  readonly outbox: Pick<OutboxStore, "addItem">;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
  readonly catalogue: () => Promise<PackedCatalogue>;
  readonly readReport: ReadWholeReport;
}

/** Outcome of a run: the failure reason, or the extracted content. */
type Outcome = { readonly failure: FailureReason } | (ReadReport & { readonly isDoubtful: boolean });

/**
 * Parses a report under a lease. If a run dies or ends without an outcome, the next run takes over. The job fails after
 * a few such runs, which bounds the damage of a report that crashes its reader. A team has a limited number of
 * concurrent readers.
 */
export async function parseJob(scope: TeamScope, { job_id }: ReportMessage, uses: ParsingUses): Promise<void> {
  const reader = await uses.labReports.takeReader(scope, ports().ids.uuid(), ports().clock.now());
  // All readers of the team are busy: the sweeper retries the job.
  if (!reader) return;
  try {
    await runJob(scope, job_id, uses);
  } finally {
    await uses.labReports.freeReader(scope, reader);
  }
}

async function runJob(scope: TeamScope, job_id: string, uses: ParsingUses): Promise<void> {
  const job = await uses.labReports.claim(scope, job_id, ports().clock.now());
  if (!job) return;
  try {
    const isGivenUp = job.attempts > MOST_RUNS;
    await endJob(scope, job, isGivenUp ? { failure: "processing_error" } : await outcomeOf(scope, job, uses), uses);
  } catch (error) {
    await uses.labReports.release(scope, job, ports().clock.now());
    throw error;
  }
}

async function outcomeOf(scope: TeamScope, job: ReportJob, uses: ParsingUses): Promise<Outcome> {
  // Do not read reports of a user who was deleted meanwhile.
  if (!(await uses.users.get(scope, job.user_id))) return { failure: "processing_error" };
  const files = await Promise.all(job.files.map((_, place) => uses.reportFiles.load(fileKey(job, place))));
  const [{ results }, learned] = await Promise.all([uses.catalogue(), uses.reportAliases.list(scope)]);
  const read = await uses.readReport(files, { results, learned });
  if ("refusal" in read) return { failure: read.reason };
  await keepPages(job, read.pages, uses.reportFiles);
  return outcomeOfReading(read.parsed);
}

function outcomeOfReading({ data, doubts, isDoubtful }: UnderstoodReport["parsed"]): Outcome {
  const byRow = Map.groupBy(doubts, ({ row }) => row);
  const ofRow = (place: number) => (byRow.get(place) ?? []).map(({ reason }) => reason);
  return { data, doubts: data.results.map((_, place) => ofRow(place)), isDoubtful };
}

const keepPages = (job: ReportJob, pages: readonly ReportPage[], files: ParsingUses["reportFiles"]) =>
  files.keep(pagesKey(job), gzipSync(JSON.stringify(pages)));

/** Writes the outcome with its event. Leaves out the event if the user was deleted meanwhile. */
async function endJob(scope: TeamScope, job: ReportJob, outcome: Outcome, uses: ParsingUses): Promise<void> {
  const { users, labReports, outbox, commit } = uses;
  const at = isoNow();
  const read = "failure" in outcome ? undefined : { data: outcome.data, doubts: outcome.doubts };
  const after = parsedJob(job, outcome);
  const user = await users.get(scope, job.user_id);
  try {
    const items = labReports.endItems(scope, job, after, read, at);
    if (!user) return await commit(items);
    const told = outbox.addItem(reportEvent(user, after, read), at);
    await commit([users.requireActiveItem(scope, job.user_id), ...items, told]);
  } catch (error) {
    if (error instanceof TooLarge) return endJob(scope, job, { failure: "processing_error" }, uses);
    if (!(error instanceof ConditionFailed)) throw error;
    // Item 0 failed: the user was just deleted. Otherwise another run has ended the job.
    if (user && error.items.has(0)) await endJob(scope, job, { failure: "processing_error" }, uses);
  }
}
