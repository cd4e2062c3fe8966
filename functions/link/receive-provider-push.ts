import * as z from "zod";
import { receivePush } from "../../lib/connections/receiving-push.ts";
import { get, keep, open, put, query, reveal, send, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { changedPulls, ingestion } from "../../lib/contract/queues.ts";
import {
  batches,
  connectionCredentials,
  credentialsKey,
  customCredentials,
  outbox,
  providerAccounts,
  providerApps,
  receipts,
  teams,
  usage,
  users,
} from "../../lib/contract/resources.ts";
import { pushQuery } from "../../lib/domain/linking/push-query.ts";
import { knownProvider } from "../../lib/domain/sources/providers.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { pushAnswer, pushRequest } from "../../lib/runtime/linking/push-request.ts";

/** Receives pushes of providers: new data, changed data and revoked grants. */
export const contract = endpoint({
  operationId: "receiveProviderPush",
  method: "POST",
  path: "/v2/link/push/{provider}",
  tag: "link",
  summary: "Receive a push of a provider",
  auth: "none",
  provesItself: true,
  params: z.object({ provider: knownProvider }),
  query: pushQuery,
  response: z.record(z.string(), z.string()).meta({ description: "Response that the provider requires, if any" }),
  errors: [NotFound],
  access: [
    ...([get(users), update(users), put(outbox), query(providerAccounts), get(connectionCredentials)] as const),
    ...([
      get(customCredentials),
      open(credentialsKey, "custom_credentials"),
      reveal(providerApps),
      send(changedPulls),
    ] as const),
    ...([put(receipts), send(ingestion), keep(batches), get(teams), update(usage)] as const),
  ],
});

export const handler = implement(contract, async ({ params, query: { team_id }, event, log }, uses) => {
  const target = { provider: params.provider, teamId: team_id };
  return pushAnswer(await receivePush(uses, target, pushRequest(event, "POST"), log));
});
