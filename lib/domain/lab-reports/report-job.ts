import * as z from "zod";
import { failureReasons, type ParsingJob, type ReportData } from "./wire-parsing-job.ts";

/** Maximum number of files of one report: one PDF, or this many images. */
export const MAX_UPLOAD_FILES = 8;
/** Maximum total size of the files of a report. */
export const MAX_UPLOAD_BYTES = 10_000_000;
/** Maximum total size of files in a direct request. A Lambda event holds 6 MB, and base64 adds a third. */
export const MAX_DIRECT_UPLOAD_BYTES = 4_500_000;
/** Maximum number of parsing jobs of a sandbox team; failed jobs do not count. */
export const MAX_SANDBOX_JOBS = 300;
/** Maximum number of concurrent runs of one team; all teams share ten readers. */
export const MAX_CONCURRENT_RUNS_PER_TEAM = 4;
/** Timeout of one run. */
export const PARSE_RUN_TIMEOUT_S = 600;
/** A job fails after this many runs without an outcome. */
export const MAX_PARSE_RUNS = 3;
/** Time window for uploading files to presigned URLs and for starting the parsing. */
export const UPLOAD_WINDOW_S = 60 * 60;

const statuses = ["upload_pending", "started", "completed", "failed", "pending_review"] as const;

/** A file of a report. The media type follows from its content and is unknown before the upload. */
const reportFile = z.object({ media_type: z.string().nullable(), size: z.int() });
export type ReportFile = z.output<typeof reportFile>;

/** The stored record of a parsing job. */
export const reportJob = z.object({
  id: z.string(),
  team_id: z.string(),
  user_id: z.string(),
  status: z.enum(statuses),
  failure_reason: z.enum(failureReasons).nullable(),
  needs_human_review: z.boolean(),
  is_reviewed: z.boolean(),
  /** ISO 8601. */
  created_at: z.string(),
  files: z.array(reportFile),
  /** Whether the job counts towards the team's limit. */
  is_counted: z.boolean(),
  /** Version of the job, from 1; 0 before parsing starts. Each published change increments it. */
  version: z.int(),
  /** Number of runs started. The number of the last run serves as its fencing token. */
  attempts: z.int(),
  /** Expiry of the last run's lease, epoch ms; absent before the first run and after the end. */
  lease_until: z.number().optional(),
});
export type ReportJob = z.output<typeof reportJob>;
export type FailureReason = NonNullable<ReportJob["failure_reason"]>;

/** The content of a report, and the review reasons of each row. */
export interface ReportContent {
  readonly data: ReportData;
  readonly doubts: readonly (readonly string[])[];
}

/** Path parameters of the routes of one job. */
export const reportParams = z.object({ job_id: z.guid().toLowerCase().meta({ description: "Id of the parsing job" }) });

/** The queue message of the parser: ids only. */
export const reportMessage = z.object({ team_id: z.string(), job_id: z.string() });
export type ReportMessage = z.output<typeof reportMessage>;

/** Creates a job in its initial state. */
export function newReportJob(
  about: Pick<ReportJob, "id" | "team_id" | "user_id" | "needs_human_review" | "created_at" | "files">,
): ReportJob {
  const pending = { status: "upload_pending", failure_reason: null, is_reviewed: false } as const;
  return { ...about, ...pending, is_counted: false, version: 0, attempts: 0 };
}

/** Reports whether the upload window of a job has expired. @param nowMs epoch ms. */
export const isUploadExpired = ({ status, created_at }: ReportJob, nowMs: number): boolean =>
  status === "upload_pending" && nowMs >= Date.parse(created_at) + UPLOAD_WINDOW_S * 1000;

/** The job once its files are uploaded. @param is_counted whether the job counts towards the team's limit. */
export const toStartedJob = (job: ReportJob, files: readonly ReportFile[], is_counted: boolean): ReportJob => ({
  ...job,
  status: "started",
  files: [...files],
  is_counted,
  version: 1,
});

/** The job after a run. @param outcome the failure reason, or whether the result needs review. */
export function toFinishedJob(
  job: ReportJob,
  outcome: { failure: FailureReason } | { isDoubtful: boolean },
): ReportJob {
  const { lease_until: _, ...rest } = job;
  const next = { ...rest, version: job.version + 1 };
  if ("failure" in outcome) return { ...next, status: "failed", failure_reason: outcome.failure, is_counted: false };
  return { ...next, status: job.needs_human_review || outcome.isDoubtful ? "pending_review" : "completed" };
}

/** The job after a reviewer's acceptance. */
export const toAcceptedJob = (job: ReportJob): ReportJob => ({
  ...job,
  status: "completed",
  is_reviewed: true,
  version: job.version + 1,
});

/** The job in API responses. The data appears once the job is completed. */
export function toWireJob(job: ReportJob, read: ReportContent | undefined): ParsingJob {
  const { id, status, failure_reason, needs_human_review, is_reviewed } = job;
  const data = status === "completed" ? (read?.data ?? null) : null;
  return { id, job_id: id, status, failure_reason, data, needs_human_review, is_reviewed };
}

type ReportOwner = Pick<ReportJob, "id" | "team_id" | "user_id">;

/** The object key prefix of all reports of a user. */
const reportKeyPrefix = ({ team_id, user_id }: Omit<ReportOwner, "id">): string => `${team_id}/${user_id}/`;
/** The object key of a file, by its index. */
export const reportFileKey = (job: ReportOwner, place: number): string => `${reportKeyPrefix(job)}${job.id}/${place}`;
/** The object key of the words of all pages. */
export const reportPagesKey = (job: ReportOwner): string => `${reportKeyPrefix(job)}${job.id}/pages`;
