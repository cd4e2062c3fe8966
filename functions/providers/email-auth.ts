import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireProviderLink } from "../../lib/domain/connections/link/wire-link-source.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { requireLinkable } from "../../lib/runtime/callers/require-linkable.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { LinkRefused, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loginAccess, loginByEmail } from "../../lib/services/connections/link/provider-login.ts";
import { findProviderLogin } from "../../lib/simulators/logins/simulated-login.ts";

/** Does what `connectEmailAuthProvider` does, with the provider in the body. */
export const contract = endpoint({
  operationId: "emailAuth",
  method: "POST",
  path: "/v2/link/auth/email",
  tag: "providers",
  summary: "Connect a provider by email address, named in the body",
  description: [
    "Connects a provider that identifies its users by e-mail address, for clients that name the provider in the body.",
    "New clients call `POST /v2/link/provider/email/{provider}`, which answers the same.",
    "A provider with another kind of login answers `link_refused`.",
    "In production these providers answer `not_possible`, because they have no public interface.",
  ],
  deprecated: true,
  auth: "link",
  params: noFields,
  query: noFields,
  body: z.object({
    email: z.email().max(254),
    provider: knownProvider,
    auth_type: z.string().max(32).nullish().describe("Ignored: the provider determines it"),
    region: z.string().max(32).nullish().describe("Region of the account, for providers that separate regions"),
  }),
  response: wireProviderLink,
  errors: [LinkRefused, NotPossible],
  access: loginAccess,
});

export const handler = implement(contract, async (caller, deps) => {
  const { body } = caller;
  requireLinkable(caller, body);
  return loginByEmail(deps, caller, body.provider, body, findProviderLogin(deployment().environment));
});
