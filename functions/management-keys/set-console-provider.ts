import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import {
  consoleProviderDraft,
  toWireConsoleProvider,
  wireConsoleProvider,
} from "../../lib/domain/console/console-provider.ts";
import { requireTeamScopeInAnyEnvironment } from "../../lib/runtime/callers/team-path.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";
import { setProvider, setProviderAccess } from "../../lib/services/console/sign-in/set-provider.ts";

export const contract = endpoint({
  operationId: "setConsoleProvider",
  method: "PUT",
  path: "/v1/org/{org_id}/team/{team_id}/console_provider",
  tag: "management-keys",
  summary: "Set the OpenID Connect provider of the console",
  description: [
    "Sets the provider at which the people of a team sign in to the console, and who gets which role there.",
    "It replaces the former provider, secret included. Register `redirect_uri` of the response at the provider.",
    "People sign in at `sign_in_url`. The service verifies their ID token, and reads `role_claim` from it.",
    "A change of issuer, client, claim or roles ends the sessions of the provider within a minute.",
    "A concurrent change returns `conflict`: repeat the call.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: noFields,
  body: consoleProviderDraft,
  response: wireConsoleProvider,
  errors: [NotFound, Conflict],
  access: setProviderAccess,
});

export const handler = implement(contract, async ({ key, params, body }, deps) => {
  const scope = await requireTeamScopeInAnyEnvironment(deps.teams, { key, params });
  return toWireConsoleProvider(await setProvider(scope, params.org_id, body, deps), baseUrl());
});
