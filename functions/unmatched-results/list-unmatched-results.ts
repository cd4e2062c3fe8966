import * as z from "zod";
import { getMany, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { matchReviews, users } from "../../lib/contract/resources.ts";
import { reviewFilter, reviewPage } from "../../lib/domain/results/review-list.ts";
import { wireUnmatchedResult } from "../../lib/domain/results/wire-unmatched-result.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listReviews } from "../../lib/runtime/results/reviewing.ts";

/** Lists results whose order is uncertain, newest first. */
export const contract = endpoint({
  operationId: "listUnmatchedResults",
  method: "GET",
  path: "/v3/unmatched_result",
  tag: "unmatched-results",
  summary: "List unmatched results",
  auth: "team",
  params: nothing,
  query: reviewFilter.extend(reviewPage),
  response: z
    .object({ data: z.array(wireUnmatchedResult), next_cursor: z.string().nullable(), total: z.int() })
    .meta({ id: "UnmatchedResultPage" }),
  access: [query(matchReviews), getMany(matchReviews), query(users, "team_users")],
});

export const handler = implement(contract, ({ scope, query, pages }, uses) => listReviews(scope, query, uses, pages));
