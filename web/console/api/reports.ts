import type { ReviewedFile, ReviewedPage } from "../../review-pages.js";
import type { FoundCode, ReviewedResult } from "../../review-parts.js";
import { listNewestEvents } from "./events.ts";
import { queryOf, request, requestFile } from "./request.ts";

/** A lab report that waits for a person, as its event tells. */
export interface WaitingReport {
  readonly id: string;
  readonly userId: string | undefined;
}

/** How many of the newest events the list searches. */
const SEARCHED_EVENTS = 500;

/** Finds the lab reports that wait for a review, among those that the newest events name. */
export async function listWaitingReports(signal: AbortSignal): Promise<readonly WaitingReport[]> {
  const jobs = (await listNewestEvents(SEARCHED_EVENTS, signal)).flatMap(({ body }) => {
    const { job_id: id, status } = (body?.data ?? {}) as { readonly job_id?: string; readonly status?: string };
    return body?.event_type.startsWith("lab_report.") && id ? { id, status, userId: body.user_id } : [];
  });
  // The newest event of a job comes first.
  const newest = jobs.filter(({ id }, place) => jobs.findIndex((job) => job.id === id) === place);
  return newest.filter(({ status }) => status === "pending_review");
}

/** A lab report under review. */
interface ReviewedReport {
  readonly version: number;
  readonly status: string;
  readonly files: readonly ReviewedFile[];
  readonly pages: readonly ReviewedPage[];
  readonly data: {
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly results: readonly ReviewedResult[];
  };
  readonly doubts: readonly (readonly string[])[];
}

/** A review: the report, and what its link allows. The secret of the link stays in the memory of this page. */
export interface Review {
  readonly report: ReviewedReport;
  readonly loadPart: (path: string) => Promise<Blob>;
  readonly find: (query: string) => Promise<readonly FoundCode[]>;
  readonly accept: (body: object) => Promise<unknown>;
}

/** Opens the review of a report through a link of its own. @throws Problem if the report waits for nobody. */
export async function openReview(jobId: string, signal: AbortSignal): Promise<Review> {
  const path = `/lab_report/v1/parser/job/${encodeURIComponent(jobId)}/review_link`;
  const { url } = await request<{ readonly url: string }>(path, { method: "POST", signal });
  const headers = { "x-review-link": new URL(url).hash.slice(1) };
  const root = "/lab_report/v1/review";
  return {
    report: await request<ReviewedReport>(`${root}/report`, { headers, signal }),
    loadPart: (place) => requestFile(`${root}/${place}`, headers),
    find: async (query) =>
      (await request<{ readonly data: readonly FoundCode[] }>(`${root}/loinc${queryOf({ query })}`, { headers })).data,
    accept: (body) => request(`${root}/accept`, { method: "POST", body, headers }),
  };
}
