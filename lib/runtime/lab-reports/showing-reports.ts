import { gunzipSync } from "node:zlib";
import { fileKey, pagesKey, type ReadReport, type ReportJob } from "../../domain/lab-reports/report-job.ts";
import type { ReportPage } from "../../domain/lab-reports/report-page.ts";
import type { WireReview } from "../../domain/lab-reports/wire-review.ts";
import type { UserRecord } from "../../domain/user.ts";
import type { Bucket } from "../bucket.ts";
import { NotFound } from "../errors.ts";
import type { ReviewCaller } from "./authenticate-review.ts";
import { type FindingUses, findReport, reportNotFound } from "./finding-reports.ts";

/** Bytes of a file part: its base64 form stays below the maximum Lambda response. */
const PART_BYTES = 3_000_000;

type ShowingUses = FindingUses & { readonly reportFiles: Pick<Bucket, "load"> };

/** A report with extracted content, and its user. */
interface Reviewed {
  readonly job: ReportJob;
  readonly read: ReadReport;
  readonly user: UserRecord;
}

/** Finds the report of a review link. @throws NotFound, also for a report without extracted content. */
export async function requireReport({ scope, jobId }: ReviewCaller, uses: FindingUses): Promise<Reviewed> {
  const { job, read, user } = await findReport(scope, jobId, uses);
  if (!read) throw reportNotFound();
  return { job, read, user };
}

/** Loads the data of the review page, without images. */
export async function showReport(caller: ReviewCaller, uses: ShowingUses): Promise<WireReview> {
  const { job, read } = await requireReport(caller, uses);
  const pages: ReportPage[] = JSON.parse(gunzipSync(await uses.reportFiles.load(pagesKey(job))).toString("utf8"));
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
export async function loadPart(
  caller: ReviewCaller,
  { place, part }: { readonly place: number; readonly part: number },
  uses: ShowingUses,
): Promise<{ readonly content: Uint8Array; readonly mediaType: string }> {
  const { job } = await requireReport(caller, uses);
  const file = job.files[place];
  if (!file || part * PART_BYTES >= file.size) throw new NotFound("The report has no such part.");
  const content = await uses.reportFiles.load(fileKey(job, place));
  const mediaType = file.media_type ?? "application/octet-stream";
  return { content: content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES), mediaType };
}
