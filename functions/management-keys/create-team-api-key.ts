import * as z from "zod";
import { get, put } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { keys, teams } from "../../lib/contract/resources.ts";
import { makeApiKey } from "../../lib/crypto/api-key.ts";
import { environments, regions, teamKeyPrefix } from "../../lib/domain/identity.ts";
import { knownLab } from "../../lib/domain/lab-tests/labs.ts";
import { keptTo, keyLabel, scopesDraft, wireNewApiKey } from "../../lib/domain/wire-key.ts";
import { NotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireServed, requireTeam } from "../../lib/runtime/management.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";

/** Creates an API key of a team. Only this response contains the whole key, because only its hash is stored. */
export const contract = endpoint({
  operationId: "createTeamApiKey",
  method: "POST",
  path: "/v1/org/{org_id}/team_api_keys/{env}/{region}",
  tag: "management-keys",
  summary: "Create an API key of a team",
  auth: "management",
  scope: "team",
  params: z.object({ org_id: z.guid().toLowerCase(), env: z.enum(environments), region: z.enum(regions) }),
  query: nothing,
  body: z.object({
    label: keyLabel,
    team_id: z.guid().toLowerCase(),
    lab: knownLab.nullish().describe("Creates a key with which only this laboratory sends reports"),
    scopes: scopesDraft.nullish(),
  }),
  response: wireNewApiKey,
  errors: [NotFound],
  access: [get(teams), put(keys)],
});

export const handler = implement(contract, async ({ key, params, body }, { teams, keys, commit }) => {
  requireServed(params);
  const team = await requireTeam(teams, key, params.org_id, body.team_id);
  const { lab, scopes } = body;
  if (lab && scopes) throw ValidationFailed.at(["body", "scopes"], "A key of a laboratory has no scopes");
  const prefix = lab ? "lab" : teamKeyPrefix(params.env, params.region);
  const { key: value, ...kept } = makeApiKey(prefix, ports().ids.bytes);
  const made = { id: ports().ids.uuid(), label: body.label, created_at: isoNow() };
  const owner = { org_id: team.org_id, team_ids: [team.team_id] };
  const kind = lab ? { kind: "lab" as const, lab } : { kind: "team" as const, ...keptTo(scopes) };
  await commit(keys.createItems({ ...kept, ...made, ...owner, ...kind }));
  return { ...made, value, team_id: team.team_id, lab: lab ?? null, scopes: keptTo(scopes).scopes ?? null };
});
