import * as z from "zod";
import { decryptDataKey, getItem, grants } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { credentialsKey, loginAttempts } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { shownNotice } from "../../lib/domain/connections/consents/consent-notice.ts";
import { wireProviderLink } from "../../lib/domain/connections/link/wire-link-source.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { LinkRefused, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import {
  completeLogin,
  loginAccess,
  openPendingLogin,
  requireProviderLogin,
} from "../../lib/services/connections/link/provider-login.ts";
import { findProviderLogin } from "../../lib/simulators/logins/simulated-login.ts";

export const contract = endpoint({
  operationId: "completePasswordProviderMfa",
  method: "POST",
  path: "/v2/link/provider/password/{provider}/complete_mfa",
  tag: "link",
  summary: "Complete a login with an MFA code",
  description: [
    "Completes a login that waits for the code that the provider sent to the user.",
    "The answer is 200 in every case; a wrong code has `error_type` `incorrect_mfa_code`, and the user can try again.",
    "The login waits for ten minutes from the answer `pending_provider_mfa`.",
    "After that, and without a waiting login, the answer is `link_refused` with `token_not_validated`.",
    "A success consumes the link token and sends `provider.connection.created`.",
  ],
  auth: "link",
  params: z.object({ provider: knownProvider }),
  query: noFields,
  body: z.object({
    mfa_code: z.string().min(1).max(64).describe("Code that the provider sent to the user"),
    notice_sha256: shownNotice,
  }),
  response: wireProviderLink,
  errors: [LinkRefused, NotPossible],
  access: grants(loginAccess, getItem(loginAttempts), decryptDataKey(credentialsKey, "provider_login")),
});

export const handler = implement(contract, async (caller, deps) => {
  const { params, body } = caller;
  const login = requireProviderLogin(params.provider, "password", findProviderLogin(deployment().environment));
  const challenge = await openPendingLogin(deps, caller, params.provider);
  const outcome = await login.byCode(params.provider, challenge, body.mfa_code);
  return completeLogin(deps, caller, params.provider, outcome, body);
});
