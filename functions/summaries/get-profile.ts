import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userParams } from "../../lib/contract/parts.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { profile } from "../../lib/domain/summaries/profile.ts";
import { providerQuery } from "../../lib/domain/summaries/summary-query.ts";
import { asOf } from "../../lib/domain/timeseries/query.ts";
import { asOfMs } from "../../lib/runtime/as-of.ts";
import { NotFound, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { latestFirst, wireSummaryOf } from "../../lib/runtime/summary-list.ts";

/** Returns the personal data of a user from the last changed profile. */
export const contract = endpoint({
  operationId: "getProfile",
  method: "GET",
  path: "/v2/summary/profile/{user_id}",
  tag: "summaries",
  summary: "Retrieve the profile of a user",
  auth: "team",
  params: userParams,
  query: providerQuery.extend(asOf),
  response: profile.wire,
  errors: [UserNotFound, NotFound, NotPossible],
  access: [get(users), query(summaries), ...underUserKeys],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const [latest] = await latestFirst(summaries, scope, params.user_id, profile, query.provider, asOfMs(query));
  if (!latest) throw new NotFound("No provider has delivered a profile of this user.");
  return wireSummaryOf(profile, latest);
});
