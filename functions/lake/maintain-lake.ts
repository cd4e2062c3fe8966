import * as z from "zod";
import {
  deleteObject,
  getItem,
  getObject,
  listBucket,
  putItem,
  putObject,
  queryItems,
} from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { lakeAppends } from "../../lib/contract/queues.ts";
import { lake, lakeTables } from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { maintainTable } from "../../lib/services/lake/maintain-table.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Merges small files of tables, drops old snapshots and deletes unused files. A failed table does not stop the others. */
export const contract = consumer({
  operationId: "maintainLake",
  tag: "lake",
  summary: "Merge the files of the lakes of teams",
  trigger: { kind: "schedule", rate: { minutes: 60 }, requires: lakeAppends },
  message: z.unknown(),
  access: [
    queryItems(lakeTables, "due"),
    getItem(lakeTables),
    putItem(lakeTables),
    getObject(lake),
    putObject(lake),
    deleteObject(lake),
    listBucket(lake),
  ],
  memoryMb: 3008,
  timeoutS: 900,
});

export const handler = consume(contract, async ({ log }, deps) => {
  const { due } = await deps.lakeTables.listDue(isoNow());
  let failed = 0;
  for (const { team_id, name } of due) {
    await maintainTable(deps, { scope: TeamScope.grant(team_id), name }).catch((error) => {
      failed++;
      log.error("table not maintained", error);
    });
  }
  if (failed > 0) throw new Error("tables were not maintained; the next run repeats them");
  return { next_due_at: (await deps.lakeTables.listDue(isoNow())).nextDueAt ?? null };
});
