import * as z from "zod";
import { get, put, remove } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, success } from "../../lib/contract/parts.ts";
import { teams } from "../../lib/contract/resources.ts";
import { GRACE_PERIOD_MS } from "../../lib/domain/deletion.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { requireTeamInAnyState } from "../../lib/runtime/team-changes.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

/**
 * Starts the deletion of a team. The team disappears from all routes at once, and its keys stop working within a
 * minute. After the grace period, the team and its users are erased. A repeated call succeeds and does not restart the
 * seven days.
 */
export const contract = endpoint({
  operationId: "deleteTeam",
  method: "DELETE",
  path: "/v1/org/{org_id}/team/{team_id}",
  tag: "management",
  summary: "Delete a team after a grace period of seven days",
  auth: "management",
  scope: "org",
  params: z.object({ org_id: z.guid().toLowerCase(), team_id: z.guid().toLowerCase() }),
  query: nothing,
  response: success,
  errors: [NotFound],
  access: [get(teams), put(teams), remove(teams)],
});

export const handler = implement(contract, async ({ params }, { teams, commit }) => {
  // After a write conflict, read the team and try again.
  for (;;) {
    const team = await requireTeamInAnyState(teams, params);
    if (team.lifecycle !== "active") return { success: true };
    const eraseAt = new Date(ports().clock.now() + GRACE_PERIOD_MS).toISOString();
    try {
      await commit(teams.pendItems(team, eraseAt));
      return { success: true };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
});
