import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { profile } from "../../lib/domain/summaries/profile.ts";
import { rawSummary } from "../../lib/domain/summaries/raw-summary.ts";
import { providerQuery } from "../../lib/domain/summaries/summary-query.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listLatestSummaries, toRawStoredSummary } from "../../lib/services/summaries/list-summaries.ts";

export const contract = endpoint({
  operationId: "getProfileRaw",
  method: "GET",
  path: "/v2/summary/profile/{user_id}/raw",
  tag: "summaries",
  summary: "Retrieve the source data of a profile",
  description: [
    "Returns the profile that changed last, with the fields as ingested in `data`.",
    "Use it to trace a value to its source; for the value itself, call `GET /v2/summary/profile/{user_id}`.",
    "Set `provider` to read the profile of one provider.",
    "If no provider has delivered a profile, the answer is `not_found`.",
  ],
  auth: "team",
  params: userParams,
  query: providerQuery,
  response: z.object({ profile: rawSummary }),
  errors: [UserNotFound, NotFound],
  access: [getItem(users), queryItems(summaries), ...userKeyAccess],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const [latest] = await listLatestSummaries(summaries, scope, params.user_id, profile, query.provider);
  if (!latest) throw new NotFound("No provider has delivered a profile of this user.");
  return { profile: toRawStoredSummary(latest) };
});
