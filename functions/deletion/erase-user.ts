import { query, remove, writeMany } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { chunks, deliveries, outbox, receipts, summaries, users } from "../../lib/contract/resources.ts";
import { deletionInput } from "../../lib/domain/deletion.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Erases everything kept of a user, its record last, so that an erasure that stopped half-way is simply run again. */
export const contract = consumer({
  operationId: "eraseUser",
  tag: "deletion",
  summary: "Erase the data of a user",
  trigger: { kind: "task" },
  message: deletionInput,
  access: [
    query(chunks),
    writeMany(chunks),
    query(summaries),
    writeMany(summaries),
    query(outbox),
    writeMany(outbox),
    query(deliveries),
    writeMany(deliveries),
    query(receipts),
    writeMany(receipts),
    remove(users),
  ],
  timeoutS: 300,
});

export const handler = consume(contract, async ({ message, log }, uses) => {
  const scope = TeamScope.grant(message.team_id);
  const erased: Record<string, number> = {};
  for (const store of ["chunks", "summaries", "outbox", "deliveries", "receipts"] as const) {
    erased[store] = await uses[store].eraseUser(scope, message.user_id);
  }
  await uses.users.removeErased(scope, message.user_id);
  log.info("user erased", { deletion_id: message.deletion_id, ...erased });
  return { erased };
});
