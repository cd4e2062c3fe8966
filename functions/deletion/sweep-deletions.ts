import * as z from "zod";
import { queryItems, startExecution } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { deletionStateMachine, users } from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { isoNow } from "../../lib/runtime/ports.ts";

/**
 * Starts deletions whose start was lost between the database write and the state machine. Starting a running deletion
 * changes nothing.
 */
export const contract = consumer({
  operationId: "sweepDeletions",
  tag: "deletion",
  summary: "Start due deletions of users",
  trigger: { kind: "schedule", rate: { minutes: 60 } },
  message: z.unknown(),
  access: [queryItems(users, "due"), startExecution(deletionStateMachine)],
});

export const handler = consume(contract, async (_, { users, deletions }) => {
  const { due, nextDueAt } = await users.listDueDeletions(isoNow());
  for (const { deletion_id = "", team_id, user_id, erase_at = "" } of due) {
    await deletions.start({ deletion_id, team_id, user_id, erase_at });
  }
  return { next_due_at: nextDueAt ?? null };
});
