import * as z from "zod";
import { queryItems, sendMessage } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { reportParses } from "../../lib/contract/queues.ts";
import { labReports } from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { ports } from "../../lib/runtime/ports.ts";

/** Starts each due parsing job whose message was lost or whose run stopped, so that no job waits forever. */
export const contract = consumer({
  operationId: "sweepLabReports",
  tag: "lab-reports",
  summary: "Start due parsing jobs",
  trigger: { kind: "schedule", rate: { minutes: 1 } },
  message: z.unknown(),
  access: [queryItems(labReports, "due"), sendMessage(reportParses)],
  timeoutS: 55,
});

export const handler = consume(contract, async (_, { labReports, reportParses }) => {
  const { due, nextDueAt } = await labReports.listDue(ports().clock.now());
  for (const message of due) await reportParses.send(message);
  return { next_due_at: nextDueAt ?? null };
});
