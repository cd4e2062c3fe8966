import { getSecretValue, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { customCredentials, providerApps } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { linkBrandOf, wireLinkConfig } from "../../lib/domain/connections/link/link-config.ts";
import { toWireSourceLink } from "../../lib/domain/connections/link/wire-link-source.ts";
import { providers } from "../../lib/domain/connections/providers/providers.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";
import { listLinkableProviders } from "../../lib/services/connections/providers/list-linkable-providers.ts";

/** Returns to the holder of a link token what the link page of its team shows, for a page of the team's own. */
export const contract = endpoint({
  operationId: "getLinkConfig",
  method: "GET",
  path: "/v2/team/link/config",
  tag: "team",
  summary: "Retrieve the configuration of the team's link page",
  description: [
    "Returns the name and logo with which the team appears on its link page, and the providers that the page offers.",
    "These are the providers with a connector and an application, those on the phone, and a sandbox's simulated logins.",
    "",
    "`provider` and `filter_on_providers` of the link token limit the providers.",
    "`GET /v2/link/token` returns the token itself, and `GET /v2/link/providers` all providers.",
  ],
  auth: "link",
  params: noFields,
  query: noFields,
  response: wireLinkConfig,
  access: [queryItems(customCredentials), getSecretValue(providerApps)],
});

export const handler = implement(contract, async (caller, deps) => {
  const shown = await listLinkableProviders(deps, caller, deployment().environment === "sandbox");
  return {
    ...linkBrandOf(caller.team),
    providers: providers
      .filter(({ slug }) => shown.includes(slug))
      .map((provider) => toWireSourceLink(provider, baseUrl())),
  };
});
