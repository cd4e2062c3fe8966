import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { consoleProviders, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireConsoleProvider, wireConsoleProvider } from "../../lib/domain/console/console-provider.ts";
import { requireTeamScopeInAnyEnvironment } from "../../lib/runtime/callers/team-path.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";

export const contract = endpoint({
  operationId: "getConsoleProvider",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/console_provider",
  tag: "management-keys",
  summary: "Retrieve the OpenID Connect provider of the console",
  description: [
    "Returns the provider at which the people of a team sign in to the console, and its roles.",
    "The secret can be set but never read: compare `client_secret_hash`, its SHA-256.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: noFields,
  response: wireConsoleProvider,
  errors: [NotFound],
  access: [getItem(teams), getItem(consoleProviders)],
});

export const handler = implement(contract, async ({ key, params }, { teams, consoleProviders }) => {
  const scope = await requireTeamScopeInAnyEnvironment(teams, { key, params });
  const provider = await consoleProviders.get(scope);
  if (!provider) throw new NotFound("The console of this team has no provider.");
  return toWireConsoleProvider(provider, baseUrl());
});
