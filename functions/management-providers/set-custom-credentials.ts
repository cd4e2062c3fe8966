import * as z from "zod";
import { generateDataKey, getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { credentialsKey, customCredentials, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { sha256 } from "../../lib/crypto/api-key.ts";
import {
  customCredentialsDraft,
  customSecretsEncryptionContext,
  toWireCustomCredentials,
  wireCustomCredentials,
} from "../../lib/domain/connections/providers/custom-credentials.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { requireTeamScopes } from "../../lib/services/management/team-scopes.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "setCustomCredentials",
  method: "POST",
  path: "/v1/org/{org_id}/team_custom_credentials/{env}/{region}",
  tag: "management-providers",
  summary: "Set custom credentials of a team",
  description: [
    "Sets the credentials of a team's own application at a provider, laboratory or appointment provider.",
    "Connections use those of OAuth providers; the service only keeps the others.",
    "It replaces the former credentials there, secrets included, and keeps their id.",
    "Call `prepare_team_custom_credentials` first for the settings at the provider.",
    "The secret and the `details` are encrypted and never returned; `client_secret_hash` identifies the secret.",
    "A concurrent change returns `conflict`: repeat the call.",
  ],
  auth: "management",
  consoleRoles: ["admin"],
  scope: "team",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments).describe("Environment of the deployment"),
    region: z.enum(regions).describe("Region of the deployment"),
  }),
  query: noFields,
  body: customCredentialsDraft,
  response: wireCustomCredentials,
  errors: [NotFound, Conflict],
  access: [
    getItem(teams),
    getItem(customCredentials),
    putItem(customCredentials),
    generateDataKey(credentialsKey, "custom_credentials"),
  ],
});

export const handler = implement(contract, async ({ key, params, body }, deps) => {
  const [scope] = await requireTeamScopes(deps.teams, { key, params }, [body.team_id]);
  const { provider: source, client_id = null, client_secret = null, details = null } = body;
  const before = await deps.customCredentials.get(scope, source);
  const now = isoNow();
  const secrets = JSON.stringify({ client_secret, details });
  const credentials = {
    id: before?.id ?? ports().ids.uuid(),
    team_id: scope.teamId,
    source,
    client_id,
    client_secret_hash: client_secret === null ? null : sha256(client_secret),
    redirect_url_override: body.redirect_url_override ?? null,
    created_at: before?.created_at ?? now,
    updated_at: now,
    sealed: await deps.credentials.encrypt(secrets, customSecretsEncryptionContext(scope.teamId, source)),
  };
  await explainConditionFailed(
    deps.customCredentials.replace(scope, credentials, before),
    (cause) => new Conflict("These credentials changed at the same time. Try again.", { cause }),
  );
  return toWireCustomCredentials(credentials);
});
