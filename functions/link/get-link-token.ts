import { getItem, getSecretValue, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { customCredentials, providerApps, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { linkBrandOf } from "../../lib/domain/connections/link/link-config.ts";
import { wireLinkToken } from "../../lib/domain/connections/link/link-token.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listLinkableProviders } from "../../lib/services/connections/providers/list-linkable-providers.ts";

export const contract = endpoint({
  operationId: "getLinkToken",
  method: "GET",
  path: "/v2/link/token",
  tag: "link",
  summary: "Retrieve the link token of the request",
  description: [
    "Returns what the link token in the request stands for: user, limits, redirect, team name and logo.",
    "Your own link page calls it first, to show who receives the data.",
    "`shown_providers` lists the providers that this deployment can connect and that the token allows.",
    "An invalid, used or expired token answers 401, and `error_type` in `detail` names the reason.",
  ],
  auth: "link",
  params: noFields,
  query: noFields,
  response: wireLinkToken,
  errors: [UserNotFound],
  access: [getItem(users), queryItems(customCredentials), getSecretValue(providerApps)],
});

export const handler = implement(contract, async (caller, deps) => {
  const { scope, team, token } = caller;
  if (!(await deps.users.get(scope, token.user_id))) throw new UserNotFound();
  const { team_id: _, key_id: __, made_at: ___, ends_at: expires_at, ...shown } = token;
  const shown_providers = await listLinkableProviders(deps, caller, deployment().environment === "sandbox");
  return { ...shown, expires_at, ...linkBrandOf(team), shown_providers };
});
