import * as z from "zod";
import { get, put, query, remove, start, update, writeMany } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import {
  deletionMachine,
  deliveries,
  deliveryLeases,
  keys,
  outbox,
  providerAccounts,
  quotas,
  reservations,
  teams,
  users,
} from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { beginTeamErasure, endUsers, eraseKeys, erasePartitions } from "../../lib/runtime/erasing-teams.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { teamPartitions } from "../../lib/store/team-partitions.ts";
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
  access: [
    query(teams, "due"),
    put(teams),
    remove(teams),
    query(users, "team_users"),
    query(users, "due"),
    get(users),
    update(users),
    update(reservations),
    update(providerAccounts),
    update(quotas),
    start(deletionMachine),
    query(keys),
    remove(keys),
    ...teamPartitions.flatMap((entity) => [query(entity), writeMany(entity)]),
    query(outbox),
    remove(outbox),
    query(deliveries),
    writeMany(deliveries),
    query(deliveryLeases),
    writeMany(deliveryLeases),
  ],
  timeoutS: 300,
});

/** User id of events that belong to the team only. */
const NOBODY = "";

export const handler = consume(contract, async ({ log }, uses) => {
  const { due, nextDueAt } = await uses.teams.dueDeletions(isoNow());
  let left = nextDueAt;
  for (const team of due) {
    const scope = TeamScope.grant(team.team_id);
    if (!(await beginTeamErasure(team, uses)) || !(await endUsers(scope, uses))) {
      left = team.erase_at;
      continue;
    }
    for (const store of ["deliveries", "deliveryLeases"] as const) {
      await uses[store].eraseUser(scope, NOBODY);
    }
    const items = await erasePartitions(scope);
    await uses.outbox.eraseUser(scope, NOBODY, async () => {});
    await eraseKeys(team, uses);
    await uses.teams.removeErased(team.team_id);
    log.info("team erased", { team_id: team.team_id, items });
  }
  return { next_due_at: left ?? null };
});
