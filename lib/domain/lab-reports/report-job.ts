import * as z from "zod";
import { failureReasons, type ParsingJob, type ReportData } from "./wire-parsing-job.ts";

/** Files that one report may consist of: one PDF, or so many pictures. */
export const MOST_FILES = 8;
/** The most bytes that the files of a report have together (spec, Limits). */
export const MOST_BYTES = 10_000_000;
/** The most bytes that a call can carry itself: a Lambda event has 6 MB, of which base64 takes a quarter. */
export const MOST_DIRECT_BYTES = 4_500_000;
/** Parsing jobs that have not failed, of a team in a sandbox. */
export const MOST_SANDBOX_JOBS = 300;
/** Reports of one team that are read at the same time; there are ten readers for all. */
export const MOST_TEAM_READERS = 4;
/** The longest that one run may take. */
export const PARSE_RUN_S = 600;
/** A job whose runs ended so often without an outcome is given up. */
export const MOST_RUNS = 3;
/** For how long files can be sent to signed addresses, and the parsing be started then. */
export const UPLOAD_S = 60 * 60;

const statuses = ["upload_pending", "started", "completed", "failed", "pending_review"] as const;

/** A file of a report: what its content shows it to be, which is not known before it is there, and how long it is. */
const reportFile = z.object({ media_type: z.string().nullable(), size: z.int() });
export type ReportFile = z.output<typeof reportFile>;

/** The parsing of a lab report as kept. */
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
  /** Whether it takes a place among those that a team may have. */
  is_counted: z.boolean(),
  /** Counts what was told of it, from 1; 0 before its parsing is started. */
  version: z.int(),
  /** Runs begun so far; the number of the last one tells it from those it took over from. */
  attempts: z.int(),
  /** Until when the last run is taken to be alive, epoch ms; absent before the first and after the end. */
  lease_until: z.number().optional(),
});
export type ReportJob = z.output<typeof reportJob>;
export type FailureReason = NonNullable<ReportJob["failure_reason"]>;

/** What was read of a report, and for each of its rows why a person should look at it. */
export interface ReadReport {
  readonly data: ReportData;
  readonly doubts: readonly (readonly string[])[];
}

/** Path of everything that belongs to one job. */
export const reportParams = z.object({ job_id: z.guid().toLowerCase() });

/** What the consumer is told: ids alone. */
export const reportMessage = z.object({ team_id: z.string(), job_id: z.string() });
export type ReportMessage = z.output<typeof reportMessage>;

/** A job that begins its life. */
export function newReportJob(
  about: Pick<ReportJob, "id" | "team_id" | "user_id" | "needs_human_review" | "created_at" | "files">,
): ReportJob {
  const pending = { status: "upload_pending", failure_reason: null, is_reviewed: false } as const;
  return { ...about, ...pending, is_counted: false, version: 0, attempts: 0 };
}

/** Whether the files of a job did not come in time. @param nowMs epoch ms. */
export const isUploadOver = ({ status, created_at }: ReportJob, nowMs: number): boolean =>
  status === "upload_pending" && nowMs >= Date.parse(created_at) + UPLOAD_S * 1000;

/** A job whose files are there. @param is_counted whether the team may have only so many. */
export const startedJob = (job: ReportJob, files: readonly ReportFile[], is_counted: boolean): ReportJob => ({
  ...job,
  status: "started",
  files: [...files],
  is_counted,
  version: 1,
});

/** A job after a run. @param outcome the reason of a failure, or whether what was read is doubtful. */
export function parsedJob(job: ReportJob, outcome: { failure: FailureReason } | { isDoubtful: boolean }): ReportJob {
  const { lease_until: _, ...rest } = job;
  const next = { ...rest, version: job.version + 1 };
  if ("failure" in outcome) return { ...next, status: "failed", failure_reason: outcome.failure, is_counted: false };
  return { ...next, status: job.needs_human_review || outcome.isDoubtful ? "pending_review" : "completed" };
}

/** A job that a person has looked through. */
export const acceptedJob = (job: ReportJob): ReportJob => ({
  ...job,
  status: "completed",
  is_reviewed: true,
  version: job.version + 1,
});

/** A job as answered; what was read of it is shown once it is completed. */
export function toWireJob(job: ReportJob, read: ReadReport | undefined): ParsingJob {
  const { id, status, failure_reason, needs_human_review, is_reviewed } = job;
  const data = status === "completed" ? (read?.data ?? null) : null;
  return { id, status, failure_reason, data, needs_human_review, is_reviewed };
}

type Owned = Pick<ReportJob, "id" | "team_id" | "user_id">;

/** What the names of all objects of the reports of a user begin with. */
export const reportsOf = ({ team_id, user_id }: Omit<Owned, "id">): string => `${team_id}/${user_id}/`;
/** The name under which a file of a report is kept, by its place among them. */
export const fileKey = (job: Owned, place: number): string => `${reportsOf(job)}${job.id}/${place}`;
/** The name under which the words of the pages of a report are kept. */
export const pagesKey = (job: Owned): string => `${reportsOf(job)}${job.id}/pages`;
