import * as z from "zod";
import { afterLogin, requireLogin, waitingLogin } from "../../lib/connections/logging-in.ts";
import { get, open, put, update } from "../../lib/contract/access.ts";
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

/** Completes a login that waits for an MFA code. The user can retry a wrong code for ten minutes. */
export const contract = endpoint({
  operationId: "completePasswordProviderMfa",
  method: "POST",
  path: "/v2/link/provider/password/{provider}/complete_mfa",
  tag: "link",
  summary: "Complete a login with an MFA code",
  auth: "link",
  params: z.object({ provider: knownProvider }),
  query: nothing,
  body: z.object({ mfa_code: z.string().min(1).max(64) }),
  response: wireProviderLink,
  errors: [LinkRefused, NotPossible],
  access: [
    get(users),
    update(users),
    update(linkTokens),
    update(providerAccounts),
    put(outbox),
    get(loginAttempts),
    open(credentialsKey, "provider_login"),
  ],
});

export const handler = implement(contract, async (caller, uses) => {
  const { params, body } = caller;
  const login = requireLogin(params.provider, "password", loginOf(deployment().environment));
  const challenge = await waitingLogin(uses, caller, params.provider);
  const outcome = await login.byCode(params.provider, challenge, body.mfa_code);
  return afterLogin(uses, caller, params.provider, outcome);
});
