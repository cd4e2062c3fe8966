import * as z from "zod";
import { deleteItem, deleteObject, eraseItems, grants, listBucket, queryItems } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { deliveries, deliveryLeases, lake, lakeUsers, outbox, teams } from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import {
  eraseTeamAccess,
  eraseTeamKeys,
  eraseTeamLake,
  eraseTeamPartitions,
  startTeamErasure,
  startUserErasures,
} from "../../lib/services/erasure/erase-team.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/**
 * Erases teams whose grace period is over. First, each user of the team goes through the deletion of users. A run that
 * finds no users deletes everything else, and the team record last. The next run continues an interrupted erasure.
 */
export const contract = consumer({
  operationId: "eraseTeams",
  tag: "deletion",
  summary: "Erase teams after their grace period",
  trigger: { kind: "schedule", rate: { minutes: 10 } },
  message: z.unknown(),
  access: grants(
    [queryItems(teams, "due"), deleteItem(teams)],
    eraseTeamAccess,
    [queryItems(outbox), deleteItem(outbox)],
    eraseItems(deliveries),
    eraseItems(deliveryLeases),
    eraseItems(lakeUsers),
    [listBucket(lake), deleteObject(lake)],
  ),
  timeoutS: 300,
});

/** User id of events that belong to the team only. */
const NO_USER = "";

export const handler = consume(contract, async ({ log }, deps) => {
  const { due, nextDueAt } = await deps.teams.listDueDeletions(isoNow());
  let earliestDueAt = nextDueAt;
  for (const team of due) {
    const scope = TeamScope.grant(team.team_id);
    if (!(await startTeamErasure(team, deps)) || !(await startUserErasures(scope, deps))) {
      earliestDueAt = team.erase_at;
      continue;
    }
    for (const store of ["deliveries", "deliveryLeases", "lakeUsers"] as const) {
      await deps[store].eraseUser(scope, NO_USER);
    }
    await eraseTeamLake(deps, scope);
    const items = await eraseTeamPartitions(scope);
    await deps.outbox.eraseUser(scope, NO_USER, async () => {});
    await eraseTeamKeys(team, deps);
    await deps.teams.deleteErased(team.team_id);
    log.info("team erased", { team_id: team.team_id, items });
  }
  return { next_due_at: earliestDueAt ?? null };
});
