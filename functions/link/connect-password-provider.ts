import * as z from "zod";
import { afterLogin, keepLogin, requireLogin } from "../../lib/connections/logging-in.ts";
import { get, put, seal, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import {
  credentialsKey,
  linkTokens,
  loginAttempts,
  outbox,
  providerAccounts,
  users,
} from "../../lib/contract/resources.ts";
import { wireProviderLink } from "../../lib/domain/linking/wire-link-source.ts";
import { knownProvider } from "../../lib/domain/sources/providers.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { LinkRefused, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loginOf } from "../../lib/simulators/logins/simulated-login.ts";

/** Logs a user in at a provider with username and password. The provider may require an MFA code. */
export const contract = endpoint({
  operationId: "connectPasswordProvider",
  method: "POST",
  path: "/v2/link/provider/password/{provider}",
  tag: "link",
  summary: "Connect a provider by username and password",
  auth: "link",
  params: z.object({ provider: knownProvider }),
  query: nothing,
  body: z.object({
    username: z.string().min(1).max(320),
    password: z.string().min(1).max(1_000).meta({ phi: true }),
    region: z.string().max(32).nullish(),
  }),
  response: wireProviderLink,
  errors: [LinkRefused, NotPossible],
  access: [
    get(users),
    update(users),
    update(linkTokens),
    update(providerAccounts),
    put(outbox),
    put(loginAttempts),
    seal(credentialsKey, "connection", "provider_login"),
  ],
});

export const handler = implement(contract, async (caller, uses) => {
  const { params, body } = caller;
  const login = requireLogin(params.provider, "password", loginOf(deployment().environment));
  const outcome = await login.byPassword(params.provider, body);
  if (outcome.state === "pending") return keepLogin(uses, caller, params.provider, outcome);
  return afterLogin(uses, caller, params.provider, outcome);
});
