import * as z from "zod";
import { get, put, seal } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { credentialsKey, customCredentials, teams } from "../../lib/contract/resources.ts";
import { sha256 } from "../../lib/crypto/api-key.ts";
import { environments, regions } from "../../lib/domain/identity.ts";
import {
  customCredentialsDraft,
  customSecretsContext,
  toWireCustomCredentials,
  wireCustomCredentials,
} from "../../lib/domain/sources/custom-credentials.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireServed } from "../../lib/runtime/management.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { requireTeamScopes } from "../../lib/runtime/team-provider-settings.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

/** Sets the credentials of a team's own provider app. Replaces the team's former credentials at this provider. */
export const contract = endpoint({
  operationId: "setCustomCredentials",
  method: "POST",
  path: "/v1/org/{org_id}/team_custom_credentials/{env}/{region}",
  tag: "management-providers",
  summary: "Set custom credentials of a team",
  auth: "management",
  scope: "team",
  params: z.object({ org_id: z.guid().toLowerCase(), env: z.enum(environments), region: z.enum(regions) }),
  query: nothing,
  body: customCredentialsDraft,
  response: wireCustomCredentials,
  errors: [NotFound, Conflict],
  access: [get(teams), get(customCredentials), put(customCredentials), seal(credentialsKey, "custom_credentials")],
});

export const handler = implement(contract, async ({ key, params, body }, uses) => {
  requireServed(params);
  const [scope] = await requireTeamScopes(uses.teams, { key, params }, [body.team_id]);
  const { provider: source, client_id = null, client_secret = null, details = null } = body;
  const before = await uses.customCredentials.get(scope, source);
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
    sealed: await uses.credentials.seal(secrets, customSecretsContext(scope.teamId, source)),
  };
  try {
    await uses.customCredentials.set(scope, credentials, before);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new Conflict("These credentials changed at the same time. Try again.", { cause: error });
  }
  return toWireCustomCredentials(credentials);
});
