import * as z from "zod";
import { batchGetItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { matchReviews, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { reviewFilter, reviewPage } from "../../lib/domain/results/review-list.ts";
import { wireUnmatchedResult } from "../../lib/domain/results/wire-unmatched-result.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listReviews } from "../../lib/services/results/match-reviews.ts";

export const contract = endpoint({
  operationId: "listUnmatchedResults",
  method: "GET",
  path: "/v3/unmatched_result",
  tag: "unmatched-results",
  summary: "List unmatched results",
  description: [
    "Lists reports whose order is uncertain, newest first, with 50 by default and at most 100 in a page.",
    "Filter by `status` `pending_customer_review` for those that wait for your decision.",
    "An unknown `lab_slug` returns `validation_failed`.",
    "Decided reports stay in the list. `total` counts all matches of the filter.",
    "Pass `next_cursor` with the same filter for the next page; null marks the last one.",
    "A page may be shorter than `limit`, because a response has a maximum size.",
    "Reports whose users are all deleted are left out, and reports without any user stay.",
  ],
  auth: "team",
  params: noFields,
  query: reviewFilter.extend(reviewPage),
  response: z
    .object({ data: z.array(wireUnmatchedResult), next_cursor: z.string().nullable(), total: z.int() })
    .meta({ id: "UnmatchedResultPage" }),
  access: [queryItems(matchReviews), batchGetItem(matchReviews), queryItems(users, "team_users")],
});

export const handler = implement(contract, ({ scope, query, pages }, deps) => listReviews(scope, query, deps, pages));
