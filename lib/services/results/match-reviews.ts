import * as z from "zod";
import { ReviewRefused, resolveReview } from "../../domain/results/match-review.ts";
import {
  createdBetween,
  matchesReviewFilter,
  type ReviewFilter,
  type ReviewListing,
  type ReviewRecord,
  toReviewListing,
} from "../../domain/results/review-list.ts";
import { withExistingUsers } from "../../domain/results/review-users.ts";
import type { UnmatchedResult } from "../../domain/results/wire-unmatched-result.ts";
import { matchReviewEvent } from "../../events/constructors/match-review-events.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { NotFound, NotPossible } from "../../runtime/errors.ts";
import { readPageItems } from "../../runtime/http/answer-size.ts";
import type { PageCursor } from "../../runtime/http/page-cursor.ts";
import { isoNow } from "../../runtime/ports.ts";
import { retryConditionFailed } from "../../store/condition-failed.ts";
import { positionText } from "../../store/cursor.ts";
import type { OutboxStore } from "../../store/events/outbox.ts";
import type { MatchReviewStore } from "../../store/results/match-reviews.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users/users.ts";

/** Stores of reviews and their users. */
export interface ReviewReadDependencies {
  readonly matchReviews: MatchReviewStore;
  readonly users: Pick<UserStore, "get">;
}

/** A stored review, and its visible form without deleted users. */
interface VisibleReview {
  readonly record: ReviewRecord;
  readonly review: UnmatchedResult;
}

/** Reads a review. @throws NotFound for an unknown review, or if all its users are deleted. */
export async function requireReview(
  scope: TeamScope,
  id: string,
  deps: ReviewReadDependencies,
): Promise<VisibleReview> {
  const record = await deps.matchReviews.get(scope, id);
  const ids = record ? toReviewListing(record).user_ids : [];
  const found = await Promise.all(ids.map((userId) => deps.users.get(scope, userId)));
  const there = new Set(found.flatMap((user) => user?.user_id ?? []));
  const review = record && withExistingUsers(record.review, (userId) => there.has(userId));
  if (!record || !review) throw new NotFound("There is no unmatched result with this id.");
  return { record, review };
}

type ListReviewsDependencies = Dependencies<"matchReviews"> & { readonly users: Pick<UserStore, "listIds"> };

/** Lists a page of reviews, newest first, with their total number. @throws ValidationFailed for a foreign cursor. */
export async function listReviews(
  scope: TeamScope,
  { limit, next_cursor, ...filter }: ReviewFilter & { limit: number; next_cursor?: string | null | undefined },
  { matchReviews, users }: ListReviewsDependencies,
  pages: PageCursor,
): Promise<{ data: UnmatchedResult[]; next_cursor: string | null; total: number }> {
  const after = pages.read(next_cursor, z.tuple([positionText, positionText]));
  const listed = await matchReviews.list(scope, ...createdBetween(filter));
  const active = new Set(listed.length === 0 ? [] : await users.listIds(scope));
  const isThere = (userId: string) => active.has(userId);
  const asked = listed.filter(
    (one) => (one.user_ids.length === 0 || one.user_ids.some(isThere)) && matchesReviewFilter(one, filter),
  );
  const isAfter = (one: (typeof asked)[number]) => !after || `${one.created_at} ${one.id}` < `${after[0]} ${after[1]}`;
  const rest = asked.filter(isAfter);
  const read = (some: readonly ReviewListing[]) => readReviews(matchReviews, scope, some, isThere);
  const page = await readPageItems(rest.slice(0, limit), read);
  const last = rest[page.read - 1];
  return {
    data: page.found,
    next_cursor: last && rest.length > page.read ? pages.write([last.created_at, last.id]) : null,
    total: asked.length,
  };
}

/** Reads the visible form of each review; undefined for a review that was deleted meanwhile. */
async function readReviews(
  matchReviews: MatchReviewStore,
  scope: TeamScope,
  listed: readonly ReviewListing[],
  isThere: (userId: string) => boolean,
): Promise<(UnmatchedResult | undefined)[]> {
  const ids = listed.map(({ id }) => id);
  const byId = new Map((await matchReviews.getMany(scope, ids)).map(({ review }) => [review.id, review]));
  return ids.map((id) => {
    const review = byId.get(id);
    return review && withExistingUsers(review, isThere);
  });
}

/** Dependencies of a decision on a review. */
export type DecideReviewDependencies = ReviewReadDependencies &
  Dependencies<"commit"> & { readonly outbox: Pick<OutboxStore, "appendItem"> };

const MAX_ATTEMPTS = 5;

/** Rejects an unmatched result, or marks it as unsure. @throws NotFound; NotPossible for a finished review. */
export async function resolveUnmatchedResult(
  scope: TeamScope,
  id: string,
  { action, note }: { action: "reject" | "unsure"; note?: string | null | undefined },
  deps: DecideReviewDependencies,
): Promise<UnmatchedResult> {
  return retryConditionFailed(async () => {
    const { record, review } = await requireReview(scope, id, deps);
    const at = isoNow();
    const resolved = withReviewErrors(() => resolveReview(record.review, action, note, at));
    await deps.commit(reviewChangeItems(scope, record, resolved, at, deps));
    return { ...resolved, candidate_groups: review.candidate_groups };
  }, MAX_ATTEMPTS);
}

/** Writes of a changed review, with its event. */
export function reviewChangeItems(
  scope: TeamScope,
  record: ReviewRecord,
  review: UnmatchedResult,
  at: string,
  deps: DecideReviewDependencies,
) {
  const { report, revision } = record;
  return [
    ...deps.matchReviews.updateItems(scope, record, { review, report }),
    deps.outbox.appendItem(matchReviewEvent(scope.teamId, review, revision + 1), at),
  ];
}

/** Maps a refused decision on a review to its API error. @throws NotPossible. */
export function withReviewErrors(decide: () => UnmatchedResult): UnmatchedResult {
  try {
    return decide();
  } catch (error) {
    throw error instanceof ReviewRefused ? new NotPossible(error.message, { cause: error }) : error;
  }
}
