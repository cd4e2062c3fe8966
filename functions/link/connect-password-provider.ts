import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { shownNotice } from "../../lib/domain/connections/consents/consent-notice.ts";
import { wireProviderLink } from "../../lib/domain/connections/link/wire-link-source.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { LinkRefused, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loginByPassword, passwordLoginAccess } from "../../lib/services/connections/link/provider-login.ts";
import { findProviderLogin } from "../../lib/simulators/logins/simulated-login.ts";

export const contract = endpoint({
  operationId: "connectPasswordProvider",
  method: "POST",
  path: "/v2/link/provider/password/{provider}",
  tag: "link",
  summary: "Connect a provider by username and password",
  description: [
    "Logs a user in at a provider with the name and password of the account there.",
    "The answer is 200 in every case: read `state`, which is `success`, `error` or `pending_provider_mfa`.",
    "After `pending_provider_mfa`, send the code to `.../complete_mfa` within ten minutes.",
    "A success consumes the link token and sends `provider.connection.created`; after an error the user can try again.",
    "The service does not store the password.",
    "In production these providers answer `not_possible`, because they have no public interface.",
  ],
  auth: "link",
  params: z.object({ provider: knownProvider }),
  query: noFields,
  body: z.object({
    username: z.string().min(1).max(320),
    password: z.string().min(1).max(1_000).meta({ phi: true }),
    notice_sha256: shownNotice,
    region: z.string().max(32).nullish().describe("Region of the account, for providers that separate regions"),
  }),
  response: wireProviderLink,
  errors: [LinkRefused, NotPossible],
  access: passwordLoginAccess,
});

export const handler = implement(contract, async (caller, deps) => {
  const { params, body } = caller;
  return loginByPassword(deps, caller, params.provider, body, findProviderLogin(deployment().environment));
});
