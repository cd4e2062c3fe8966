import type { ReviewedFile, ReviewedPage } from "../../review-pages.js";
import type { FoundCode, ReviewedResult } from "../../review-parts.js";
import { readAllPages, type WholeList } from "./all-pages.ts";
import { queryOf, request, requestFile } from "./request.ts";

/** A lab report that waits for a person. */
export interface WaitingReport {
  readonly job_id: string;
  readonly user_id: string;
  readonly client_user_id: string;
  readonly created_at: string;
}

interface WaitingPage {
  readonly data: readonly WaitingReport[];
  readonly next_cursor: string | null;
}

/** Lab reports that wait for a review, oldest first. */
export async function listWaitingReports(signal: AbortSignal): Promise<WholeList<WaitingReport>> {
  const { rows, isCut } = await readAllPages(async (next_cursor) => {
    const page = await request<WaitingPage>(`/lab_report/v1/waiting_reports${queryOf({ next_cursor })}`, { signal });
    return { rows: page.data, next_cursor: page.next_cursor };
  });
  return { rows: rows.toSorted((one, other) => one.created_at.localeCompare(other.created_at)), isCut };
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
