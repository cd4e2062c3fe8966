import type { UploadDraft } from "../../domain/lab-reports/report-form.ts";
import {
  MAX_UPLOAD_BYTES,
  type ReportJob,
  reportFileKey,
  toWireJob,
  UPLOAD_WINDOW_S,
} from "../../domain/lab-reports/report-job.ts";
import type { CheckFiles } from "../../domain/lab-reports/report-reader.ts";
import type { ParsingJob } from "../../domain/lab-reports/wire-parsing-job.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { BodyTooLarge, NotPossible, UserNotFound } from "../../runtime/errors.ts";
import { ports } from "../../runtime/ports.ts";
import type { UploadBucket } from "../../runtime/upload-bucket.ts";
import { ConditionFailed, explainConditionFailed } from "../../store/condition-failed.ts";
import type { UserStore } from "../../store/users/users.ts";
import { findReport } from "./find-report.ts";
import {
  createReportJob,
  requireReportUser,
  type SubmitReportDependencies,
  type Submitter,
  startReportJob,
} from "./submit-report.ts";

type OpenUploadDependencies = Dependencies<"labReports" | "commit"> & {
  readonly users: Pick<UserStore, "get" | "requireActiveItem">;
  readonly reportUploads: Pick<UploadBucket, "uploadLink">;
};

/** Opens a job that waits for its files, with a presigned upload URL for each file. */
export async function openUpload(submitter: Submitter, draft: UploadDraft, deps: OpenUploadDependencies) {
  const { users, labReports, reportUploads, commit } = deps;
  await requireReportUser(submitter, draft, users);
  const size = draft.files.reduce((sum, file) => sum + file.size, 0);
  if (size > MAX_UPLOAD_BYTES)
    throw new BodyTooLarge(`The files of a report can have at most ${MAX_UPLOAD_BYTES} bytes in total.`);
  const job = createReportJob(submitter, draft);
  const now = ports().clock.now();
  const isActive = users.requireActiveItem(submitter.scope, job.user_id);
  const items = [isActive, ...labReports.createItems(submitter.scope, job, now)];
  await explainConditionFailed(commit(items), (failure) => (failure.items.has(0) ? new UserNotFound() : failure));
  const links = job.files.map((file, place) =>
    reportUploads.uploadLink(reportFileKey(job, place), file.size, Date.parse(job.created_at), UPLOAD_WINDOW_S),
  );
  const urls = await Promise.all(links);
  return {
    job: toWireJob(job, undefined),
    uploads: urls.map((url, place) => ({ method: "PUT" as const, url, size: job.files[place]?.size ?? 0 })),
    expires_at: new Date(Date.parse(job.created_at) + UPLOAD_WINDOW_S * 1000).toISOString(),
  };
}

type FinishUploadDependencies = SubmitReportDependencies & {
  readonly reportUploads: Pick<UploadBucket, "sizes" | "get">;
};

/** Starts the parsing of a job with uploaded files. Returns a job that has already started as it is. */
export async function startUploadedReport(
  submitter: Submitter,
  id: string,
  deps: FinishUploadDependencies,
  check: CheckFiles,
): Promise<ParsingJob> {
  const { scope } = submitter;
  const { job, read, user } = await findReport(scope, id, deps);
  if (job.status !== "upload_pending") return toWireJob(job, read);
  const files = await loadUploadedFiles(job, deps.reportUploads);
  try {
    const now = ports().clock.now();
    const writes = (after: ReportJob) => deps.labReports.startItems(scope, job, after, now);
    return toWireJob(await startReportJob(submitter, { user, job, files }, deps, check, writes), undefined);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // A concurrent request has started the job.
    const present = await deps.labReports.get(scope, id);
    if (!present || present.job.status === "upload_pending") throw error;
    return toWireJob(present.job, present.read);
  }
}

/** Loads the uploaded files. @throws NotPossible while any file is missing. */
async function loadUploadedFiles(
  job: ReportJob,
  uploads: FinishUploadDependencies["reportUploads"],
): Promise<Uint8Array[]> {
  const keys = job.files.map((_, place) => reportFileKey(job, place));
  const sizes = await uploads.sizes(reportFileKey(job, 0).slice(0, -1));
  const missing = keys.filter((key, place) => sizes.get(key) !== job.files[place]?.size);
  if (missing.length > 0) throw new NotPossible("Some files have not been uploaded yet.");
  return Promise.all(keys.map((key) => uploads.get(key)));
}
