import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userParams } from "../../lib/contract/parts.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { profile } from "../../lib/domain/summaries/profile.ts";
import { rawSummary } from "../../lib/domain/summaries/raw-summary.ts";
import { providerQuery } from "../../lib/domain/summaries/summary-query.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { latestFirst, rawSummaryOf } from "../../lib/runtime/summary-list.ts";

/** Returns the last changed profile of a user as its source sent it. */
export const contract = endpoint({
  operationId: "getProfileRaw",
  method: "GET",
  path: "/v2/summary/profile/{user_id}/raw",
  tag: "summaries",
  summary: "Retrieve the source data of a profile",
  auth: "team",
  params: userParams,
  query: providerQuery,
  response: z.object({ profile: rawSummary }),
  errors: [UserNotFound, NotFound],
  access: [get(users), query(summaries), ...underUserKeys],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const [latest] = await latestFirst(summaries, scope, params.user_id, profile, query.provider);
  if (!latest) throw new NotFound("No provider has delivered a profile of this user.");
  return { profile: rawSummaryOf(latest) };
});
