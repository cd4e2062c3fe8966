import { gunzipSync } from "node:zlib";
import type { ReportPage } from "../../domain/lab-reports/page/report-page.ts";
import {
  type ReportContent,
  type ReportJob,
  reportFileKey,
  reportPagesKey,
} from "../../domain/lab-reports/report-job.ts";
import type { WireReview } from "../../domain/lab-reports/wire-review.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import type { Bucket } from "../../runtime/aws/bucket.ts";
import type { ReviewCaller } from "../../runtime/callers/authenticate-review.ts";
import { NotFound } from "../../runtime/errors.ts";
import { type FindReportDependencies, findReport, reportNotFound } from "./find-report.ts";

/** Bytes of a file part: its base64 form stays below the maximum Lambda response. */
const PART_BYTES = 3_000_000;

type LoadReviewDependencies = FindReportDependencies & { readonly reportFiles: Pick<Bucket, "get"> };

/** A report with extracted content, and its user. */
interface ReviewedReport {
  readonly job: ReportJob;
  readonly read: ReportContent;
  readonly user: UserRecord;
}

/** Finds the report of a review link. @throws NotFound, also for a report without extracted content. */
export async function requireReadReport(
  { scope, jobId }: ReviewCaller,
  deps: FindReportDependencies,
): Promise<ReviewedReport> {
  const { job, read, user } = await findReport(scope, jobId, deps);
  if (!read) throw reportNotFound();
  return { job, read, user };
}

/** Loads the data of the review page, without images. */
export async function loadReview(caller: ReviewCaller, deps: LoadReviewDependencies): Promise<WireReview> {
  const { job, read } = await requireReadReport(caller, deps);
  const pages: ReportPage[] = JSON.parse(gunzipSync(await deps.reportFiles.get(reportPagesKey(job))).toString("utf8"));
  return {
    job_id: job.id,
    version: job.version,
    status: job.status,
    files: job.files.map(({ media_type, size }) => ({
      media_type: media_type ?? "",
      size,
      parts: Math.ceil(size / PART_BYTES),
    })),
    pages: pages.map(({ width, height, origin, words }) => ({
      ...{ width, height, origin },
      words: origin === "text" ? words.map(({ confidence: _, ...word }) => word) : [],
    })),
    data: read.data,
    doubts: read.doubts.map((ofRow) => [...ofRow]),
  };
}

/** Loads a part of a report file. @throws NotFound. */
export async function loadFilePart(
  caller: ReviewCaller,
  { place, part }: { readonly place: number; readonly part: number },
  deps: LoadReviewDependencies,
): Promise<{ readonly content: Uint8Array; readonly mediaType: string }> {
  const { job } = await requireReadReport(caller, deps);
  const file = job.files[place];
  if (!file || part * PART_BYTES >= file.size) throw new NotFound("The report has no such part.");
  const content = await deps.reportFiles.get(reportFileKey(job, place));
  const mediaType = file.media_type ?? "application/octet-stream";
  return { content: content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES), mediaType };
}
