import * as z from "zod";
import { decryptDataKey, getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { credentialsKey, loginAttempts } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireProviderLink } from "../../lib/domain/connections/link/wire-link-source.ts";
import { knownProvider } from "../../lib/domain/connections/providers/providers.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { LinkRefused, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { connectAccountAccess } from "../../lib/services/connections/connect-account.ts";
import {
  completeLogin,
  openPendingLogin,
  requireProviderLogin,
} from "../../lib/services/connections/link/provider-login.ts";
import { findProviderLogin } from "../../lib/simulators/logins/simulated-login.ts";

/** Completes a login that waits for an MFA code. The user can retry a wrong code for ten minutes. */
export const contract = endpoint({
  operationId: "completePasswordProviderMfa",
  method: "POST",
  path: "/v2/link/provider/password/{provider}/complete_mfa",
  tag: "link",
  summary: "Complete a login with an MFA code",
  auth: "link",
  params: z.object({ provider: knownProvider }),
  query: noFields,
  body: z.object({ mfa_code: z.string().min(1).max(64) }),
  response: wireProviderLink,
  errors: [LinkRefused, NotPossible],
  access: [...connectAccountAccess, getItem(loginAttempts), decryptDataKey(credentialsKey, "provider_login")],
});

export const handler = implement(contract, async (caller, deps) => {
  const { params, body } = caller;
  const login = requireProviderLogin(params.provider, "password", findProviderLogin(deployment().environment));
  const challenge = await openPendingLogin(deps, caller, params.provider);
  const outcome = await login.byCode(params.provider, challenge, body.mfa_code);
  return completeLogin(deps, caller, params.provider, outcome);
});
