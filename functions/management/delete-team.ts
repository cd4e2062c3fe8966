import * as z from "zod";
import { deleteItem, getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams } from "../../lib/contract/resources.ts";
import { noFields, successResponse } from "../../lib/contract/shared-schemas.ts";
import { GRACE_PERIOD_MS } from "../../lib/domain/erasure/deletion-input.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { requireTeamInAnyState } from "../../lib/services/management/change-team.ts";
import { retryConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "deleteTeam",
  method: "DELETE",
  path: "/v1/org/{org_id}/team/{team_id}",
  tag: "management",
  summary: "Delete a team after a grace period of seven days",
  description: [
    "Starts the deletion of a team: all routes treat it as unknown at once, and its keys stop working within a minute.",
    "For seven days, `POST /v1/org/{org_id}/team/{team_id}/undo_delete` restores it with its keys.",
    "Then the service erases its users and all other data irreversibly; only the logs keep the id of the team.",
    "A repeated call succeeds and does not restart the seven days.",
  ],
  auth: "management",
  scope: "org",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: noFields,
  response: successResponse,
  errors: [NotFound],
  access: [getItem(teams), putItem(teams), deleteItem(teams)],
});

export const handler = implement(contract, async ({ params }, { teams, commit }) => {
  // After a write conflict, read the team and try again.
  await retryConditionFailed(async () => {
    const team = await requireTeamInAnyState(teams, params);
    if (team.lifecycle !== "active") return;
    const eraseAt = new Date(ports().clock.now() + GRACE_PERIOD_MS).toISOString();
    await commit(teams.requestErasureItems(team, eraseAt));
  });
  return { success: true };
});
