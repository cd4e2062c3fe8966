import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { shownNotice } from "../../lib/domain/connections/consents/consent-notice.ts";
import { wireOAuthSource } from "../../lib/domain/connections/link/wire-link-source.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { LinkRefused, NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireNotice } from "../../lib/services/connections/consents/require-notice.ts";
import { composeCurrentNotice } from "../../lib/services/connections/consents/show-notice.ts";
import {
  createOAuthSource,
  createOAuthSourceAccess,
} from "../../lib/services/connections/oauth/create-oauth-source.ts";

export const contract = endpoint({
  operationId: "generateOauthLink",
  method: "GET",
  path: "/v2/link/provider/oauth/{oauth_provider}",
  tag: "link",
  summary: "Create an authorization URL for a provider",
  description: [
    "Returns `oauth_url`, the address at which the user's browser begins the authorization of a provider.",
    "Open it in the browser at once: it is valid once, for ten minutes, and only with this link token.",
    "The first browser that opens it must also finish the flow.",
    "Afterwards the browser goes to the token's `redirect_url` with `state`, and after a failure with `error_type`.",
    "A provider that does not use OAuth, or that the token does not allow, answers `link_refused`.",
    "Without an application at the provider, the answer is `not_possible`.",
  ],
  auth: "link",
  params: z.object({ oauth_provider: knownProvider }),
  query: z.object({ notice_sha256: shownNotice }),
  response: wireOAuthSource,
  errors: [UserNotFound, LinkRefused, NotPossible],
  access: createOAuthSourceAccess,
});

export const handler = implement(contract, async (caller, deps) => {
  const { oauth_provider } = caller.params;
  const shown = { sha256: caller.query.notice_sha256, at: ["query", "notice_sha256"] };
  const notice = await requireNotice(() => composeCurrentNotice(deps, caller, oauth_provider), shown);
  return createOAuthSource(deps, caller, oauth_provider, notice);
});
