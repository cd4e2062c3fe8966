import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { credentialSource, preparationSteps } from "../../lib/domain/connections/providers/custom-credentials.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import { requireTeam } from "../../lib/runtime/callers/management-access.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";

const preparationStep = z.object({
  type: z.enum(["redirect_uri", "webhook_uri", "iam_principal"]),
  key: z.string().nullable(),
  value: z.string(),
  description: z.string().nullable(),
});

export const contract = endpoint({
  operationId: "prepareCustomCredentials",
  method: "POST",
  path: "/v1/org/{org_id}/prepare_team_custom_credentials/{env}/{region}",
  tag: "management-providers",
  summary: "List the preparation steps for custom credentials",
  description: [
    "Returns what you must configure at a provider before a team's own application works there.",
    "Call it before you set the credentials; it changes nothing.",
    "An OAuth provider needs the returned redirect URI, and every other one returns `no_action_needed`.",
  ],
  auth: "management",
  scope: "team",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments).describe("Environment of the deployment"),
    region: z.enum(regions).describe("Region of the deployment"),
  }),
  query: noFields,
  body: z.object({ team_id: z.guid().toLowerCase(), provider: credentialSource }),
  response: z
    .object({
      status: z.enum(["no_action_needed", "preparations_required"]),
      preparation_steps: z.array(preparationStep),
    })
    .meta({ id: "CustomCredentialPreparations" }),
  errors: [NotFound],
  access: [getItem(teams)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams }) => {
  await requireTeam(teams, key, params.org_id, body.team_id);
  const preparation_steps = preparationSteps(baseUrl(), body.provider);
  const status = preparation_steps.length > 0 ? "preparations_required" : "no_action_needed";
  return { status, preparation_steps } as const;
});
