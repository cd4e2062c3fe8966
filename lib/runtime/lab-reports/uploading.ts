import type { UploadDraft } from "../../domain/lab-reports/report-form.ts";
import { fileKey, MOST_BYTES, type ReportJob, toWireJob, UPLOAD_S } from "../../domain/lab-reports/report-job.ts";
import type { CheckFiles } from "../../domain/lab-reports/report-reader.ts";
import type { ParsingJob } from "../../domain/lab-reports/wire-parsing-job.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { LabReportStore } from "../../store/lab-reports/lab-reports.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { UserStore } from "../../store/users.ts";
import { BodyTooLarge, NotPossible, UserNotFound } from "../errors.ts";
import { ports } from "../ports.ts";
import { findReport } from "./finding-reports.ts";
import { draftJob, requireUser, type StartingUses, type Submitter, startJob } from "./submitting.ts";
import type { UploadBucket } from "./upload-bucket.ts";

interface DraftingUses {
  readonly users: Pick<UserStore, "get" | "requireActiveItem">;
  readonly labReports: LabReportStore;
  readonly reportUploads: Pick<UploadBucket, "uploadLink">;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** Opens a job that waits for its files, with a presigned upload URL for each file. */
export async function openUpload(submitter: Submitter, draft: UploadDraft, uses: DraftingUses) {
  const { users, labReports, reportUploads, commit } = uses;
  await requireUser(submitter, draft, users);
  const size = draft.files.reduce((sum, file) => sum + file.size, 0);
  if (size > MOST_BYTES) throw new BodyTooLarge(`The files of a report can have at most ${MOST_BYTES} bytes in total.`);
  const job = draftJob(submitter, draft);
  const now = ports().clock.now();
  const isActive = users.requireActiveItem(submitter.scope, job.user_id);
  try {
    await commit([isActive, ...labReports.createItems(submitter.scope, job, now)]);
  } catch (error) {
    throw error instanceof ConditionFailed && error.items.has(0) ? new UserNotFound() : error;
  }
  const links = job.files.map((file, place) =>
    reportUploads.uploadLink(fileKey(job, place), file.size, Date.parse(job.created_at), UPLOAD_S),
  );
  const urls = await Promise.all(links);
  return {
    job: toWireJob(job, undefined),
    uploads: urls.map((url, place) => ({ method: "PUT" as const, url, size: job.files[place]?.size ?? 0 })),
    expires_at: new Date(Date.parse(job.created_at) + UPLOAD_S * 1000).toISOString(),
  };
}

interface FinishingUses extends StartingUses {
  readonly reportUploads: Pick<UploadBucket, "sizes" | "load">;
}

/** Starts the parsing of a job with uploaded files. Returns a job that has already started as it is. */
export async function startUpload(
  submitter: Submitter,
  id: string,
  uses: FinishingUses,
  check: CheckFiles,
): Promise<ParsingJob> {
  const { scope } = submitter;
  const { job, read, user } = await findReport(scope, id, uses);
  if (job.status !== "upload_pending") return toWireJob(job, read);
  const files = await sentFiles(job, uses.reportUploads);
  try {
    const now = ports().clock.now();
    const writes = (after: ReportJob) => uses.labReports.startItems(scope, job, after, now);
    return toWireJob(await startJob(submitter, { user, job, files }, uses, check, writes), undefined);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // A concurrent request has started the job.
    const present = await uses.labReports.get(scope, id);
    if (!present || present.job.status === "upload_pending") throw error;
    return toWireJob(present.job, present.read);
  }
}

/** Loads the uploaded files. @throws NotPossible while any file is missing. */
async function sentFiles(job: ReportJob, uploads: FinishingUses["reportUploads"]): Promise<Uint8Array[]> {
  const keys = job.files.map((_, place) => fileKey(job, place));
  const sizes = await uploads.sizes(fileKey(job, 0).slice(0, -1));
  const missing = keys.filter((key, place) => sizes.get(key) !== job.files[place]?.size);
  if (missing.length > 0) throw new NotPossible("Some files have not been uploaded yet.");
  return Promise.all(keys.map((key) => uploads.load(key)));
}
