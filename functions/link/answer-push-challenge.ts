import * as z from "zod";
import { answerChallenge } from "../../lib/connections/receiving-push.ts";
import { get, open, reveal, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { credentialsKey, customCredentials, providerApps, usage } from "../../lib/contract/resources.ts";
import { pushQuery } from "../../lib/domain/linking/push-query.ts";
import { knownProvider } from "../../lib/domain/sources/providers.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { pushAnswer, pushRequest } from "../../lib/runtime/linking/push-request.ts";

/** Answers the challenge by which a provider verifies a push URL before it sends pushes. */
export const contract = endpoint({
  operationId: "answerPushChallenge",
  method: "GET",
  path: "/v2/link/push/{provider}",
  tag: "link",
  summary: "Answer the push challenge of a provider",
  auth: "none",
  provesItself: true,
  params: z.object({ provider: knownProvider }),
  query: pushQuery,
  response: z
    .record(z.string(), z.string())
    .meta({ description: "Response to the challenge, in the provider's format" }),
  errors: [NotFound],
  access: [get(customCredentials), open(credentialsKey, "custom_credentials"), reveal(providerApps), update(usage)],
});

export const handler = implement(contract, async ({ params, query: { team_id }, event }, uses) =>
  pushAnswer(await answerChallenge(uses, { provider: params.provider, teamId: team_id }, pushRequest(event, "GET"))),
);
