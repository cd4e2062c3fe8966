import * as z from "zod";
import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams } from "../../lib/contract/resources.ts";
import { noFields, successResponse } from "../../lib/contract/shared-schemas.ts";
import { NotFound, UndoRefused } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { requireTeamInAnyState } from "../../lib/services/management/change-team.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "undoDeleteTeam",
  method: "POST",
  path: "/v1/org/{org_id}/team/{team_id}/undo_delete",
  tag: "management",
  summary: "Undo the deletion of a team",
  description: [
    "Restores a deleted team with its keys, within seven days after the deletion.",
    "The credentials of its users work again, unless they have expired meanwhile.",
    "`undo_refused` means that the team is not deleted, that the seven days are over, or that another team has its id.",
    "The id in that case is the `integration_team_id`: free it at the other team first.",
  ],
  auth: "management",
  scope: "org",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: noFields,
  response: successResponse,
  errors: [NotFound, UndoRefused],
  access: [getItem(teams), putItem(teams)],
});

export const handler = implement(contract, async ({ params }, { teams, commit }) => {
  const team = await requireTeamInAnyState(teams, params);
  if (team.lifecycle === "active") throw new UndoRefused("There is no deletion to undo.");
  if (team.lifecycle === "erasing" || (team.erase_at ?? "") <= isoNow()) {
    throw new UndoRefused("The grace period is over.");
  }
  await explainConditionFailed(commit(teams.restoreItems(team)), ({ items }) => {
    const isTaken = !items.has(0);
    return new UndoRefused(
      isTaken ? "Another team has the integration_team_id." : "The team changed at the same time.",
    );
  });
  return { success: true };
});
