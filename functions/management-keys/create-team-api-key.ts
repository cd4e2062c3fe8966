import * as z from "zod";
import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { keys, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { generateApiKey } from "../../lib/crypto/api-key.ts";
import { knownLab } from "../../lib/domain/lab-tests/labs.ts";
import { environments, regions, teamKeyPrefix } from "../../lib/domain/management/records.ts";
import { keyLabel, scopesDraft, toStoredScopes, wireCreatedApiKey } from "../../lib/domain/management/wire-key.ts";
import { requireTeam } from "../../lib/runtime/callers/management-access.ts";
import { NotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";

export const contract = endpoint({
  operationId: "createTeamApiKey",
  method: "POST",
  path: "/v1/org/{org_id}/team_api_keys/{env}/{region}",
  tag: "management-keys",
  summary: "Create an API key of a team",
  description: [
    "Creates an API key of a team for the main API, which works at once beside its other keys.",
    "Only this response contains the whole `value`, because only its hash is stored.",
    "Without `scopes` the key has full access; its scopes cannot be changed later.",
    "With `lab`, the key can only send reports of that laboratory to `POST /v3/lab_result`, and takes no scopes.",
    "A repeated call creates another key.",
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
  body: z.object({
    label: keyLabel,
    team_id: z.guid().toLowerCase(),
    lab: knownLab.nullish().describe("Creates a key with which only this laboratory sends reports"),
    scopes: scopesDraft.nullish(),
  }),
  response: wireCreatedApiKey,
  errors: [NotFound],
  access: [getItem(teams), putItem(keys)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, keys, commit }) => {
  const team = await requireTeam(teams, key, params.org_id, body.team_id);
  const { lab, scopes } = body;
  if (lab && scopes) throw ValidationFailed.at(["body", "scopes"], "A key of a laboratory has no scopes");
  const prefix = lab ? "lab" : teamKeyPrefix(params.env, params.region);
  const { key: value, ...kept } = generateApiKey(prefix, ports().ids.bytes);
  const createdKey = { id: ports().ids.uuid(), label: body.label, created_at: isoNow() };
  const owner = { org_id: team.org_id, team_ids: [team.team_id] };
  const kind = lab ? { kind: "lab" as const, lab } : { kind: "team" as const, ...toStoredScopes(scopes) };
  await commit(keys.createItems({ ...kept, ...createdKey, ...owner, ...kind }));
  return {
    ...createdKey,
    value,
    team_id: team.team_id,
    lab: lab ?? null,
    scopes: toStoredScopes(scopes).scopes ?? null,
  };
});
