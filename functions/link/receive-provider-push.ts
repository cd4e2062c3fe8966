import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { pushQuery } from "../../lib/domain/connections/pulls/push-query.ts";
import { NotFound, Unauthorized } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { toPushAnswer, toPushRequest } from "../../lib/services/connections/pushes/push-request.ts";
import { receivePush, receivePushAccess } from "../../lib/services/connections/pushes/receive-push.ts";

export const contract = endpoint({
  operationId: "receiveProviderPush",
  method: "POST",
  path: "/v2/link/push/{provider}",
  tag: "link",
  summary: "Receive a push of a provider",
  description: [
    "Receives what a provider announces: new data, changed data and withdrawn access.",
    "Register this address at the provider; your own code does not call it.",
    "For an application of your team, the address has `?team_id=`, and some providers also need a `key` in it.",
    "A push that does not prove its origin answers `unauthorized`; one about an unknown account answers 200.",
    "The service then pulls the announced data, which sends events such as `daily.data.sleep.created`.",
    "Withdrawn access ends the connection and sends `provider.connection.error`.",
  ],
  auth: "none",
  authenticatesItself: true,
  params: z.object({ provider: knownProvider }),
  query: pushQuery,
  response: z.record(z.string(), z.string()).meta({ description: "Response that the provider requires, if any" }),
  errors: [NotFound, Unauthorized],
  access: receivePushAccess,
});

export const handler = implement(contract, async ({ params, query: { team_id }, event, log }, deps) => {
  const target = { provider: params.provider, teamId: team_id };
  return toPushAnswer(await receivePush(deps, target, toPushRequest(event, "POST"), log));
});
