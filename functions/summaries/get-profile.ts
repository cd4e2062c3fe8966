import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { profile } from "../../lib/domain/summaries/profile.ts";
import { providerQuery } from "../../lib/domain/summaries/summary-query.ts";
import { asOfQuery } from "../../lib/domain/timeseries/range-query.ts";
import { NotFound, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listLatestSummaries, toWireStoredSummary } from "../../lib/services/summaries/list-summaries.ts";
import { parseAsOf } from "../../lib/services/timeseries/parse-as-of.ts";

export const contract = endpoint({
  operationId: "getProfile",
  method: "GET",
  path: "/v2/summary/profile/{user_id}",
  tag: "summaries",
  summary: "Retrieve the profile of a user",
  description: [
    "Returns height, date of birth, gender and sex from the profile that changed last among all providers.",
    "Set `provider` to read the profile of one provider; profiles are never merged.",
    "These are a provider's data; the demographics for laboratories are at `GET /v2/user/{user_id}/info/latest`.",
    "If no provider has delivered a profile, the answer is `not_found`.",
    "Outside a history, new and changed profiles send `daily.data.profile.created` and `daily.data.profile.updated`.",
  ],
  auth: "team",
  params: userParams,
  query: providerQuery.extend(asOfQuery),
  response: profile.wire,
  errors: [UserNotFound, NotFound, NotPossible],
  access: [getItem(users), queryItems(summaries), ...userKeyAccess],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const [latest] = await listLatestSummaries(
    summaries,
    scope,
    params.user_id,
    profile,
    query.provider,
    parseAsOf(query),
  );
  if (!latest) throw new NotFound("No provider has delivered a profile of this user.");
  return toWireStoredSummary(profile, latest);
});
