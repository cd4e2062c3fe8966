import * as z from "zod";
import { ReviewRefused, resolveReview } from "../../domain/results/match-review.ts";
import {
  isAskedFor,
  listingOf,
  madeBetween,
  type ReviewFilter,
  type ReviewListing,
  type ReviewRecord,
} from "../../domain/results/review-list.ts";
import { withUsers } from "../../domain/results/review-users.ts";
import type { UnmatchedResult } from "../../domain/results/wire-unmatched-result.ts";
import { reviewEvent } from "../../events/match-review-events.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import { positionText } from "../../store/cursor.ts";
import type { OutboxStore } from "../../store/outbox.ts";
import type { MatchReviewStore } from "../../store/results/match-reviews.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { UserStore } from "../../store/users.ts";
import { readFitting } from "../answer-size.ts";
import { NotFound, NotPossible } from "../errors.ts";
import type { PageCursor } from "../page-cursor.ts";
import { isoNow } from "../ports.ts";

/** Stores of reviews and their users. */
export interface ReviewReads {
  readonly matchReviews: MatchReviewStore;
  readonly users: Pick<UserStore, "get">;
}

/** A stored review, and its visible form without deleted users. */
interface SeenReview {
  readonly record: ReviewRecord;
  readonly review: UnmatchedResult;
}

/** Reads a review. @throws NotFound for an unknown review, or if all its users are deleted. */
export async function requireReview(scope: TeamScope, id: string, uses: ReviewReads): Promise<SeenReview> {
  const record = await uses.matchReviews.get(scope, id);
  const ids = record ? listingOf(record).user_ids : [];
  const found = await Promise.all(ids.map((userId) => uses.users.get(scope, userId)));
  const there = new Set(found.flatMap((user) => user?.user_id ?? []));
  const review = record && withUsers(record.review, (userId) => there.has(userId));
  if (!record || !review) throw new NotFound("There is no unmatched result with this id.");
  return { record, review };
}

interface ListUses {
  readonly matchReviews: MatchReviewStore;
  readonly users: Pick<UserStore, "listIds">;
}

/** Lists a page of reviews, newest first, with their total number. @throws ValidationFailed for a foreign cursor. */
export async function listReviews(
  scope: TeamScope,
  { limit, next_cursor, ...filter }: ReviewFilter & { limit: number; next_cursor?: string | null | undefined },
  { matchReviews, users }: ListUses,
  pages: PageCursor,
): Promise<{ data: UnmatchedResult[]; next_cursor: string | null; total: number }> {
  const after = pages.read(next_cursor, z.tuple([positionText, positionText]));
  const listed = await matchReviews.list(scope, ...madeBetween(filter));
  const active = new Set(listed.length === 0 ? [] : await users.listIds(scope));
  const isThere = (userId: string) => active.has(userId);
  const asked = listed.filter(
    (one) => (one.user_ids.length === 0 || one.user_ids.some(isThere)) && isAskedFor(one, filter),
  );
  const isAfter = (one: (typeof asked)[number]) => !after || `${one.created_at} ${one.id}` < `${after[0]} ${after[1]}`;
  const rest = asked.filter(isAfter);
  const read = (some: readonly ReviewListing[]) => readReviews(matchReviews, scope, some, isThere);
  const page = await readFitting(rest.slice(0, limit), read);
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
    return review && withUsers(review, isThere);
  });
}

/** Dependencies of a decision on a review. */
export interface DecidingUses extends ReviewReads {
  readonly outbox: Pick<OutboxStore, "addItem">;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

const ATTEMPTS = 5;

/** Rejects an unmatched result, or marks it as unsure. @throws NotFound; NotPossible for a finished review. */
export async function resolveResult(
  scope: TeamScope,
  id: string,
  { action, note }: { action: "reject" | "unsure"; note?: string | null | undefined },
  uses: DecidingUses,
): Promise<UnmatchedResult> {
  for (let attempt = 1; ; attempt++) {
    const { record, review } = await requireReview(scope, id, uses);
    const at = isoNow();
    const resolved = decided(() => resolveReview(record.review, action, note, at));
    try {
      await uses.commit(changeItems(scope, record, resolved, at, uses));
      return { ...resolved, candidate_groups: review.candidate_groups };
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Writes of a changed review, with its event. */
export function changeItems(
  scope: TeamScope,
  record: ReviewRecord,
  review: UnmatchedResult,
  at: string,
  uses: DecidingUses,
) {
  const { report, revision } = record;
  return [
    ...uses.matchReviews.changeItems(scope, record, { review, report }),
    uses.outbox.addItem(reviewEvent(scope.teamId, review, revision + 1), at),
  ];
}

/** Maps a refused decision on a review to its API error. @throws NotPossible. */
export function decided(decide: () => UnmatchedResult): UnmatchedResult {
  try {
    return decide();
  } catch (error) {
    throw error instanceof ReviewRefused ? new NotPossible(error.message, { cause: error }) : error;
  }
}
