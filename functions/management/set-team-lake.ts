import * as z from "zod";
import { batchGetItem, getItem, putItem, sendMessage } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { lakeAppends } from "../../lib/contract/queues.ts";
import { lakeTables, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireLake } from "../../lib/domain/lake/lake-settings.ts";
import { requireTeamScope, teamParams } from "../../lib/runtime/callers/team-path.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { describeLake } from "../../lib/services/lake/describe-lake.ts";

export const contract = endpoint({
  operationId: "setTeamLake",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/lake",
  tag: "management",
  summary: "Turn the lake of a team on or off",
  description: [
    "With `enabled`, the service appends stored data and events of the team to tables for analysts.",
    "It first adds what it has stored before, except for events and orders.",
    "Without it, the tables stay and get no new rows. An erasure of a user still reaches them.",
    "A deployment without a lake returns `not_possible`.",
  ],
  auth: "management",
  params: teamParams,
  query: noFields,
  body: z.object({ enabled: z.boolean() }).meta({ id: "LakeDraft" }),
  response: wireLake,
  errors: [NotFound, NotPossible],
  access: [
    getItem(teams),
    getItem(lakeTables),
    batchGetItem(lakeTables),
    putItem(lakeTables),
    sendMessage(lakeAppends),
  ],
});

export const handler = implement(contract, async (call, { teams, lakeTables, lakeAppends }) => {
  const scope = await requireTeamScope(teams, call);
  if (!lakeAppends) throw new NotPossible("This deployment has no lake.");
  const { enabled } = call.body;
  const before = await lakeTables.getSettings(scope);
  const changed_at = before?.enabled && enabled ? before.changed_at : isoNow();
  await lakeTables.putSettings(scope, { enabled, changed_at });
  // A repeated call sends the message again, in case the first was lost. Its rows are appended once.
  if (enabled) await lakeAppends.send({ kind: "team", team_id: scope.teamId, enabled_at: changed_at });
  return describeLake({ lakeTables }, scope);
});
