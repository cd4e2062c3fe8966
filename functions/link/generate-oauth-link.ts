import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireOAuthSource } from "../../lib/domain/connections/link/wire-link-source.ts";
import { knownProvider } from "../../lib/domain/connections/providers/providers.ts";
import { LinkRefused, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import {
  createOAuthSource,
  createOAuthSourceAccess,
} from "../../lib/services/connections/oauth/create-oauth-source.ts";

/** Creates the URL that starts OAuth in the user's browser. The URL is valid once, for ten minutes. */
export const contract = endpoint({
  operationId: "generateOauthLink",
  method: "GET",
  path: "/v2/link/provider/oauth/{oauth_provider}",
  tag: "link",
  summary: "Create an authorization URL for a provider",
  auth: "link",
  params: z.object({ oauth_provider: knownProvider }),
  query: noFields,
  response: wireOAuthSource,
  errors: [UserNotFound, LinkRefused, NotPossible],
  access: createOAuthSourceAccess,
});

export const handler = implement(contract, (caller, deps) =>
  createOAuthSource(deps, caller, caller.params.oauth_provider),
);
