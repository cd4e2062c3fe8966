import type { ReviewRecord } from "./review-list.ts";
import type { UnmatchedResult } from "./wire-unmatched-result.ts";

/**
 * Removes missing users from a review; undefined if no user remains.
 * @param isThere whether the user with this id exists.
 */
export function withExistingUsers(
  review: UnmatchedResult,
  isThere: (userId: string) => boolean,
): UnmatchedResult | undefined {
  const { candidate_groups: groups, resolved_user_id } = review;
  if (resolved_user_id !== null && !isThere(resolved_user_id)) return undefined;
  const candidate_groups = groups.filter(({ user_id }) => user_id === null || isThere(user_id));
  if (groups.length > 0 && candidate_groups.length === 0) return undefined;
  return { ...review, candidate_groups };
}

/** Removes an erased user from a review; undefined if the report can belong to no other user. */
export function withoutErasedUser(
  { review, report }: ReviewRecord,
  userId: string,
): Omit<ReviewRecord, "revision"> | undefined {
  const rest = withExistingUsers(review, (user) => user !== userId);
  return rest && { review: rest, report };
}
