import * as z from "zod";
import { afterLogin, requireLogin } from "../../lib/connections/logging-in.ts";
import { get, put, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { linkTokens, outbox, providerAccounts, users } from "../../lib/contract/resources.ts";
import { wireProviderLink } from "../../lib/domain/linking/wire-link-source.ts";
import { knownProvider } from "../../lib/domain/sources/providers.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { LinkRefused, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loginOf } from "../../lib/simulators/logins/simulated-login.ts";

/** Connects a provider that identifies its users by email address. */
export const contract = endpoint({
  operationId: "connectEmailAuthProvider",
  method: "POST",
  path: "/v2/link/provider/email/{provider}",
  tag: "link",
  summary: "Connect a provider by email address",
  auth: "link",
  params: z.object({ provider: knownProvider }),
  query: nothing,
  body: z.object({
    email: z.email().max(254),
    provider: knownProvider.nullish(),
    region: z.string().max(32).nullish(),
  }),
  response: wireProviderLink,
  errors: [LinkRefused, NotPossible],
  access: [get(users), update(users), update(linkTokens), update(providerAccounts), put(outbox)],
});

export const handler = implement(contract, async (caller, uses) => {
  const { params, body } = caller;
  const login = requireLogin(params.provider, "email", loginOf(deployment().environment));
  const outcome = await login.byEmail(params.provider, body);
  return afterLogin(uses, caller, params.provider, outcome);
});
