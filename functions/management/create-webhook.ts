import * as z from "zod";
import { get, put, seal } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { teams, webhookEndpoints, webhookSecretsKey } from "../../lib/contract/resources.ts";
import { makeWebhookSecret } from "../../lib/crypto/webhook-signature.ts";
import { environments } from "../../lib/domain/identity.ts";
import { secretContext, webhookDraft, wireWebhook } from "../../lib/events/webhook-endpoint.ts";
import { EgressRefused, resolveForEgress } from "../../lib/runtime/egress.ts";
import { NotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireServed, requireTeam } from "../../lib/runtime/management.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Adds a webhook endpoint to a team. Its URL must be https and lead to the public internet. */
export const contract = endpoint({
  operationId: "createWebhook",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/webhook",
  tag: "management",
  summary: "Create a webhook endpoint of a team",
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase(), env: z.enum(environments) }),
  query: nothing,
  body: webhookDraft,
  response: wireWebhook,
  status: 201,
  errors: [NotFound],
  access: [get(teams), put(webhookEndpoints), seal(webhookSecretsKey)],
});

/** @throws ValidationFailed when webhooks may not be sent to the URL. */
async function requireReachable(url: string): Promise<void> {
  try {
    await resolveForEgress(new URL(url));
  } catch (error) {
    const reason = error instanceof EgressRefused ? error.message : "the host can not be resolved";
    throw ValidationFailed.at(["body", "url"], `Not a URL that webhooks can be sent to: ${reason}`);
  }
}

export const handler = implement(contract, async ({ key, params, body }, { teams, webhookEndpoints, secrets }) => {
  requireServed(params);
  const team = await requireTeam(teams, key, params.org_id, params.team_id);
  await requireReachable(body.url);
  const { url, description, filter_types, disabled, secret } = body;
  const id = ports().ids.uuid();
  const now = isoNow();
  const about = { url, description, filter_types, disabled, created_at: now, updated_at: now };
  const plain = secret ?? makeWebhookSecret(ports().ids.bytes);
  const owner = { endpoint_id: id, team_id: team.team_id };
  const sealed_secret = await secrets.seal(plain, secretContext(owner));
  const settings = { previous_secret: null, headers: null, rate_limit: null };
  const disabled_reason = disabled ? "manual" : null;
  const record = { ...owner, ...about, ...settings, disabled_reason, sealed_secret } as const;
  await webhookEndpoints.create(TeamScope.grant(team.team_id), record);
  return { id, ...about, rate_limit: null };
});
