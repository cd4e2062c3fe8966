import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { shownNotice } from "../../lib/domain/connections/consents/consent-notice.ts";
import { wireProviderLink } from "../../lib/domain/connections/link/wire-link-source.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { LinkRefused, NotPossible, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loginAccess, loginByEmail } from "../../lib/services/connections/link/provider-login.ts";
import { findProviderLogin } from "../../lib/simulators/logins/simulated-login.ts";

export const contract = endpoint({
  operationId: "connectEmailAuthProvider",
  method: "POST",
  path: "/v2/link/provider/email/{provider}",
  tag: "link",
  summary: "Connect a provider by email address",
  description: [
    "Connects a provider that identifies its users by e-mail address, such as `freestyle_libre`.",
    "The answer is 200 in every case: read `state`, which is `success` or `error`.",
    "A success consumes the link token and sends `provider.connection.created`.",
    "A provider with another kind of login answers `link_refused`.",
    "In production these providers answer `not_possible`, because they have no public interface.",
  ],
  auth: "link",
  params: z.object({ provider: knownProvider }),
  query: noFields,
  body: z.object({
    email: z.email().max(254),
    provider: knownProvider.nullish().describe("The provider of the path, for clients that repeat it"),
    notice_sha256: shownNotice,
    region: z.string().max(32).nullish().describe("Region of the account, for providers that separate regions"),
  }),
  response: wireProviderLink,
  errors: [LinkRefused, NotPossible],
  access: loginAccess,
});

export const handler = implement(contract, async (caller, deps) => {
  const { params, body } = caller;
  if (body.provider != null && body.provider !== params.provider)
    throw ValidationFailed.at(["body", "provider"], "Not the provider of the path");
  return loginByEmail(deps, caller, params.provider, body, findProviderLogin(deployment().environment));
});
