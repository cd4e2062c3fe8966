import { conditionCheckItem, getItem, putItem, putObject, sendMessage, updateItem } from "../../contract/access.ts";
import { reportParses } from "../../contract/queues.ts";
import { labReports, outbox, reportFiles, users } from "../../contract/resources.ts";
import type { UploadDraft } from "../../domain/lab-reports/report-form.ts";
import {
  MAX_DIRECT_UPLOAD_BYTES,
  MAX_SANDBOX_JOBS,
  MAX_UPLOAD_BYTES,
  newReportJob,
  type ReportJob,
  reportFileKey,
  reportMessage,
  toStartedJob,
  toWireJob,
} from "../../domain/lab-reports/report-job.ts";
import type { CheckFiles } from "../../domain/lab-reports/report-reader.ts";
import type { ParsingJob } from "../../domain/lab-reports/wire-parsing-job.ts";
import type { Team } from "../../domain/management/records.ts";
import { REPORT_UNITS } from "../../domain/usage/work-budget.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import { labReportEvent } from "../../events/constructors/lab-report-events.ts";
import type { Bucket } from "../../runtime/aws/bucket.ts";
import type { Queue } from "../../runtime/aws/queue.ts";
import type { WorkMeter } from "../../runtime/callers/work-limit.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { deployment } from "../../runtime/deployment.ts";
import { BodyTooLarge, NotPossible, QuotaReached, ReportRefused, UserNotFound } from "../../runtime/errors.ts";
import type { Log } from "../../runtime/log.ts";
import { isoNow, ports } from "../../runtime/ports.ts";
import { explainConditionFailed } from "../../store/condition-failed.ts";
import type { OutboxStore } from "../../store/events/outbox.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { UserStore } from "../../store/users/users.ts";
import type { SubmittedReport } from "./read-report-form.ts";

/** The team that submits a report. */
export interface Submitter {
  readonly scope: TeamScope;
  readonly team: Team;
  readonly log: Log;
  /** The budgets charged for the report, also if it is unreadable. */
  readonly work: Pick<WorkMeter, "spend">;
}

/** Dependencies of starting a parsing job. */
export type SubmitReportDependencies = Dependencies<"labReports" | "commit"> & {
  readonly users: Pick<UserStore, "get" | "requireActiveItem">;
  readonly outbox: Pick<OutboxStore, "appendItem">;
  readonly reportFiles: Pick<Bucket, "put">;
  readonly reportParses: Pick<Queue, "send">;
};

/** Grants of {@link submitReport}. */
export const submitReportAccess = [
  getItem(users),
  conditionCheckItem(users),
  getItem(labReports),
  putItem(labReports),
  updateItem(labReports),
  putItem(outbox),
  putObject(reportFiles),
  sendMessage(reportParses),
] as const;

/** @throws UserNotFound; NotPossible for a requested human review that the team has not enabled. */
export async function requireReportUser(
  { scope, team }: Submitter,
  asked: Pick<UploadDraft, "user_id" | "needs_human_review">,
  users: Pick<UserStore, "get">,
): Promise<UserRecord> {
  const user = await users.get(scope, asked.user_id);
  if (!user) throw new UserNotFound();
  if (asked.needs_human_review && !team.features.includes("lab_report_human_review")) {
    throw new NotPossible("Human review is not enabled for this team.");
  }
  return user;
}

/** Creates a job that waits for its files. */
export function createReportJob({ scope }: Submitter, asked: UploadDraft): ReportJob {
  const { user_id, needs_human_review, files } = asked;
  const sized = files.map(({ size }) => ({ media_type: null, size }));
  const about = { id: ports().ids.uuid(), team_id: scope.teamId, created_at: isoNow() };
  return newReportJob({ ...about, user_id, needs_human_review, files: sized });
}

/** Submits a report with its files. @returns the job in the state before parsing starts. */
export async function submitReport(
  submitter: Submitter,
  report: SubmittedReport,
  deps: SubmitReportDependencies,
  check: CheckFiles,
): Promise<ParsingJob> {
  const user = await requireReportUser(submitter, report, deps.users);
  const size = report.files.reduce((sum, { length }) => sum + length, 0);
  if (size > MAX_DIRECT_UPLOAD_BYTES) {
    const instead = `POST /lab_report/v1/parser/upload returns upload URLs for up to ${MAX_UPLOAD_BYTES} bytes`;
    throw new BodyTooLarge(`The files exceed ${MAX_DIRECT_UPLOAD_BYTES} bytes; ${instead}.`);
  }
  const job = createReportJob(submitter, { ...report, files: report.files.map(({ length }) => ({ size: length })) });
  const started = await startReportJob(submitter, { user, job, files: report.files }, deps, check, (after) =>
    deps.labReports.createItems(submitter.scope, after, ports().clock.now()),
  );
  return toWireJob({ ...started, status: "upload_pending" }, undefined);
}

/** A job with its user and files. */
interface ReceivedReport {
  readonly user: UserRecord;
  readonly job: ReportJob;
  readonly files: readonly Uint8Array[];
}

/**
 * Stores the files of a job and starts its parsing. Writes the objects before the job that refers to them.
 * @param writes returns the writes of the started job.
 * @throws ReportRefused, QuotaReached; UserNotFound if the user was deleted meanwhile; ConditionFailed for the job.
 */
export async function startReportJob(
  { scope, log, work }: Submitter,
  { user, job, files }: ReceivedReport,
  deps: SubmitReportDependencies,
  check: CheckFiles,
  writes: (after: ReportJob) => WriteItem[],
): Promise<ReportJob> {
  const { labReports, users, outbox, reportFiles, reportParses, commit } = deps;
  const checked = check(files);
  if ("refusal" in checked) throw new ReportRefused(checked.refusal);
  const isCounted = deployment().environment === "sandbox";
  if (isCounted && (await labReports.hasReachedLimit(scope))) throw sandboxQuotaError();
  await work.spend(REPORT_UNITS);
  await Promise.all(files.map((file, place) => reportFiles.put(reportFileKey(job, place), file)));
  const kept = files.map(({ length }, place) => ({ media_type: checked.mediaTypes[place] ?? null, size: length }));
  const after = toStartedJob(job, kept, isCounted);
  const counted = isCounted ? [labReports.reserveItem(scope)] : [];
  const appendedEvent = outbox.appendItem(labReportEvent(user, after, undefined), isoNow());
  const items = [users.requireActiveItem(scope, user.user_id), ...counted, ...writes(after), appendedEvent];
  await explainConditionFailed(commit(items), (failure) => {
    if (failure.items.has(0)) return new UserNotFound();
    return isCounted && failure.items.has(1) ? sandboxQuotaError() : failure;
  });
  await reportParses
    .send(reportMessage.parse({ team_id: after.team_id, job_id: after.id }))
    .catch((error) => log.error("a lab report waits for the sweeper", error));
  return after;
}

const sandboxQuotaError = () =>
  new QuotaReached(`A sandbox team can have ${MAX_SANDBOX_JOBS} lab reports, not counting failed ones.`);
