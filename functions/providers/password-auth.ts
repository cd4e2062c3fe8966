import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireProviderLink } from "../../lib/domain/connections/link/wire-link-source.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { requireLinkable } from "../../lib/runtime/callers/require-linkable.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { LinkRefused, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loginByPassword, passwordLoginAccess } from "../../lib/services/connections/link/provider-login.ts";
import { findProviderLogin } from "../../lib/simulators/logins/simulated-login.ts";

/** Does what `connectPasswordProvider` does, with the provider in the body. */
export const contract = endpoint({
  operationId: "passwordAuth",
  method: "POST",
  path: "/v2/link/auth",
  tag: "providers",
  summary: "Connect a provider by username and password, named in the body",
  description: [
    "Logs a user in at a provider with the name and password there, for clients that name the provider in the body.",
    "New clients call `POST /v2/link/provider/password/{provider}`, which answers the same.",
    "After `pending_provider_mfa`, send the code to `/v2/link/provider/password/{provider}/complete_mfa`.",
    "The service does not store the password.",
    "In production these providers answer `not_possible`, because they have no public interface.",
  ],
  deprecated: true,
  auth: "link",
  params: noFields,
  query: noFields,
  body: z.object({
    username: z.string().min(1).max(320),
    password: z.string().min(1).max(1_000).meta({ phi: true }),
    provider: knownProvider,
    auth_type: z.string().max(32).nullish().describe("Ignored: the provider determines it"),
  }),
  response: wireProviderLink,
  errors: [LinkRefused, NotPossible],
  access: passwordLoginAccess,
});

export const handler = implement(contract, async (caller, deps) => {
  const { body } = caller;
  requireLinkable(caller, body);
  return loginByPassword(deps, caller, body.provider, body, findProviderLogin(deployment().environment));
});
