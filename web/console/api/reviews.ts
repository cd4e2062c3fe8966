import { readAllPages, type WholeList } from "./all-pages.ts";
import type { Order } from "./orders.ts";
import { queryOf, request } from "./request.ts";

/** An order that a result may belong to. */
export interface Candidate {
  readonly order_id: string | null;
  readonly last_status: string | null;
  readonly confidence_level: string;
  readonly confidence_score: number | null;
  readonly reasons: readonly string[];
}

/** A result whose order is uncertain. */
export interface MatchReview {
  readonly id: string;
  readonly status: string;
  readonly reason: string;
  readonly patient: {
    readonly first_name: string | null;
    readonly last_name: string | null;
    readonly dob: string | null;
    readonly gender: string | null;
  } | null;
  readonly lab: { readonly name: string } | null;
  readonly markers: readonly { readonly name: string | null }[];
  readonly interpretation: string | null;
  readonly result_status: string | null;
  readonly resolution_action: string | null;
  readonly resolved_order_id: string | null;
  readonly note: string | null;
  readonly allowed_actions: readonly string[];
  readonly candidate_groups: readonly {
    readonly user_id: string | null;
    readonly candidates: readonly Candidate[];
  }[];
  readonly created_at: string;
  readonly reviewed_at: string | null;
}

const LIST = "/v3/unmatched_result";

/** Lists the match reviews of the team, newest first. @param status limits them to one status. */
export const listMatchReviews = (status: string, signal: AbortSignal): Promise<WholeList<MatchReview>> =>
  readAllPages(async (next_cursor) => {
    type ReviewPage = { readonly data: readonly MatchReview[]; readonly next_cursor: string | null };
    const page = await request<ReviewPage>(LIST + queryOf({ status, limit: 100, next_cursor }), { signal });
    return { rows: page.data, next_cursor: page.next_cursor };
  });

/** Retrieves a match review. */
export const getMatchReview = (id: string, signal: AbortSignal) =>
  request<MatchReview>(`${LIST}/${encodeURIComponent(id)}`, { signal });

/** Gives the result to an order, for good. */
export const acceptResult = (id: string, order_id: string, note: string) =>
  request<Order>(`${LIST}/${id}/accept`, { method: "POST", body: { order_id, ...noteOf(note) } });

/** Rejects a result for good, or passes it to another person. */
export const resolveReview = (id: string, action: "reject" | "unsure", note: string) =>
  request(`${LIST}/${id}/resolve`, { method: "POST", body: { action, ...noteOf(note) } });

const noteOf = (note: string) => (note === "" ? {} : { note });
