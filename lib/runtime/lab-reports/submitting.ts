import type { Team } from "../../domain/identity.ts";
import type { UploadDraft } from "../../domain/lab-reports/report-form.ts";
import {
  fileKey,
  MOST_BYTES,
  MOST_DIRECT_BYTES,
  MOST_SANDBOX_JOBS,
  newReportJob,
  type ReportJob,
  reportMessage,
  startedJob,
  toWireJob,
} from "../../domain/lab-reports/report-job.ts";
import type { CheckFiles } from "../../domain/lab-reports/report-reader.ts";
import type { ParsingJob } from "../../domain/lab-reports/wire-parsing-job.ts";
import type { UserRecord } from "../../domain/user.ts";
import { REPORT_UNITS } from "../../domain/work.ts";
import { reportEvent } from "../../events/report-events.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { LabReportStore } from "../../store/lab-reports/lab-reports.ts";
import type { OutboxStore } from "../../store/outbox.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { UserStore } from "../../store/users.ts";
import type { Bucket } from "../bucket.ts";
import { deployment } from "../deployment.ts";
import { BodyTooLarge, NotPossible, QuotaReached, ReportRefused, UserNotFound } from "../errors.ts";
import type { Log } from "../log.ts";
import { isoNow, ports } from "../ports.ts";
import type { Queue } from "../queue.ts";
import type { Work } from "../work-limit.ts";
import type { SubmittedReport } from "./reading-form.ts";

/** The team that submits a report. */
export interface Submitter {
  readonly scope: TeamScope;
  readonly team: Team;
  readonly log: Log;
  /** The budgets charged for the report, also if it is unreadable. */
  readonly work: Pick<Work, "spend">;
}

/** Dependencies of starting a parsing job. */
export interface StartingUses {
  readonly users: Pick<UserStore, "get" | "requireActiveItem">;
  readonly labReports: LabReportStore;
  readonly outbox: Pick<OutboxStore, "addItem">;
  readonly reportFiles: Pick<Bucket, "keep">;
  readonly reportParses: Pick<Queue, "send">;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** @throws UserNotFound; NotPossible for a requested human review that the team has not enabled. */
export async function requireUser(
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
export function draftJob({ scope }: Submitter, asked: UploadDraft): ReportJob {
  const { user_id, needs_human_review, files } = asked;
  const sized = files.map(({ size }) => ({ media_type: null, size }));
  const about = { id: ports().ids.uuid(), team_id: scope.teamId, created_at: isoNow() };
  return newReportJob({ ...about, user_id, needs_human_review, files: sized });
}

/** Submits a report with its files. @returns the job in the state before parsing starts. */
export async function submitReport(
  submitter: Submitter,
  report: SubmittedReport,
  uses: StartingUses,
  check: CheckFiles,
): Promise<ParsingJob> {
  const user = await requireUser(submitter, report, uses.users);
  const size = report.files.reduce((sum, { length }) => sum + length, 0);
  if (size > MOST_DIRECT_BYTES) {
    const instead = `POST /lab_report/v1/parser/upload returns upload URLs for up to ${MOST_BYTES} bytes`;
    throw new BodyTooLarge(`The files exceed ${MOST_DIRECT_BYTES} bytes; ${instead}.`);
  }
  const job = draftJob(submitter, { ...report, files: report.files.map(({ length }) => ({ size: length })) });
  const started = await startJob(submitter, { user, job, files: report.files }, uses, check, (after) =>
    uses.labReports.createItems(submitter.scope, after, ports().clock.now()),
  );
  return toWireJob({ ...started, status: "upload_pending" }, undefined);
}

/** A job with its user and files. */
interface Arrived {
  readonly user: UserRecord;
  readonly job: ReportJob;
  readonly files: readonly Uint8Array[];
}

/**
 * Stores the files of a job and starts its parsing. Writes the objects before the job that refers to them.
 * @param writes returns the writes of the started job.
 * @throws ReportRefused, QuotaReached; UserNotFound if the user was deleted meanwhile; ConditionFailed for the job.
 */
export async function startJob(
  { scope, log, work }: Submitter,
  { user, job, files }: Arrived,
  uses: StartingUses,
  check: CheckFiles,
  writes: (after: ReportJob) => WriteItem[],
): Promise<ReportJob> {
  const { labReports, users, outbox, reportFiles, reportParses, commit } = uses;
  const checked = check(files);
  if ("refusal" in checked) throw new ReportRefused(checked.refusal);
  const isCounted = deployment().environment === "sandbox";
  if (isCounted && (await labReports.isFull(scope))) throw full();
  await work.spend(REPORT_UNITS);
  await Promise.all(files.map((file, place) => reportFiles.keep(fileKey(job, place), file)));
  const kept = files.map(({ length }, place) => ({ media_type: checked.mediaTypes[place] ?? null, size: length }));
  const after = startedJob(job, kept, isCounted);
  const counted = isCounted ? [labReports.countItem(scope)] : [];
  const told = outbox.addItem(reportEvent(user, after, undefined), isoNow());
  try {
    await commit([users.requireActiveItem(scope, user.user_id), ...counted, ...writes(after), told]);
  } catch (error) {
    if (error instanceof ConditionFailed && error.items.has(0)) throw new UserNotFound();
    if (error instanceof ConditionFailed && isCounted && error.items.has(1)) throw full();
    throw error;
  }
  await reportParses
    .send(reportMessage.parse({ team_id: after.team_id, job_id: after.id }))
    .catch((error) => log.error("a lab report waits for the sweeper", error));
  return after;
}

const full = () =>
  new QuotaReached(`A sandbox team can have ${MOST_SANDBOX_JOBS} lab reports, not counting failed ones.`);
