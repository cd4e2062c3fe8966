import { consumer } from "../../lib/contract/consumer.ts";
import { deletionInput } from "../../lib/domain/erasure/deletion-input.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { eraseFromLake, eraseFromLakeAccess } from "../../lib/services/lake/erase-from-lake.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Removes a user from the lake of the team before the erasure deletes what names the days. Repeatable. */
export const contract = consumer({
  operationId: "eraseFromLake",
  tag: "deletion",
  summary: "Erase a user from the lake of the team",
  trigger: { kind: "task" },
  message: deletionInput,
  access: eraseFromLakeAccess,
  memoryMb: 3008,
  timeoutS: 900,
});

export const handler = consume(contract, async ({ message, log }, deps) => {
  const { deletion_id, team_id, user_id } = message;
  const rows = await eraseFromLake(deps, TeamScope.grant(team_id), user_id);
  if (rows > 0) log.info("user erased from the lake", { deletion_id, rows });
  return {};
});
