import * as z from "zod";
import { deleteItem, getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { consoleProviders, keys, teams } from "../../lib/contract/resources.ts";
import { noContent, noFields } from "../../lib/contract/shared-schemas.ts";
import { requireTeamScopeInAnyEnvironment } from "../../lib/runtime/callers/team-path.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { deleteProvider } from "../../lib/services/console/sign-in/set-provider.ts";

export const contract = endpoint({
  operationId: "deleteConsoleProvider",
  method: "DELETE",
  path: "/v1/org/{org_id}/team/{team_id}/console_provider",
  tag: "management-keys",
  summary: "Delete the OpenID Connect provider of the console",
  description: [
    "Deletes the provider. Its sessions, and what they have created, end within a minute.",
    "People sign in with keys and tickets from then on.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: noFields,
  response: noContent,
  status: 204,
  errors: [NotFound, Conflict],
  access: [getItem(teams), getItem(keys), getItem(consoleProviders), deleteItem(consoleProviders), deleteItem(keys)],
});

export const handler = implement(contract, async ({ key, params }, deps) => {
  const scope = await requireTeamScopeInAnyEnvironment(deps.teams, { key, params });
  if (!(await deleteProvider(scope, deps))) throw new NotFound("The console of this team has no provider.");
  return undefined;
});
