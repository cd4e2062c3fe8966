import * as z from "zod";
import { getSecretValue, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { providerApps, usage } from "../../lib/contract/resources.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { pushQuery } from "../../lib/domain/connections/pulls/push-query.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { teamAppAccess } from "../../lib/services/connections/providers/provider-app.ts";
import { toPushAnswer, toPushRequest } from "../../lib/services/connections/pushes/push-request.ts";
import { answerChallenge } from "../../lib/services/connections/pushes/receive-push.ts";

export const contract = endpoint({
  operationId: "answerPushChallenge",
  method: "GET",
  path: "/v2/link/push/{provider}",
  tag: "link",
  summary: "Answer the push challenge of a provider",
  description: [
    "Answers the challenge with which a provider checks an address before it sends pushes there.",
    "The provider calls it at the registration of `POST /v2/link/push/{provider}`; your own code does not.",
    "The answer is in the provider's format.",
    "A request that is no challenge, and a provider without pushes, answer `not_found`.",
  ],
  auth: "none",
  authenticatesItself: true,
  params: z.object({ provider: knownProvider }),
  query: pushQuery,
  response: z
    .record(z.string(), z.string())
    .meta({ description: "Response to the challenge, in the provider's format" }),
  errors: [NotFound],
  access: [...teamAppAccess, getSecretValue(providerApps), updateItem(usage)],
});

export const handler = implement(contract, async ({ params, query: { team_id }, event }, deps) =>
  toPushAnswer(
    await answerChallenge(deps, { provider: params.provider, teamId: team_id }, toPushRequest(event, "GET")),
  ),
);
