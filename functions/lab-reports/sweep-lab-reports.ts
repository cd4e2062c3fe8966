import * as z from "zod";
import { query, send } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { reportParses } from "../../lib/contract/queues.ts";
import { labReports } from "../../lib/contract/resources.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { ports } from "../../lib/runtime/ports.ts";

/** Starts the parsing of lab reports that was not started, or whose run died: the guarantee that none waits for ever. */
export const contract = consumer({
  operationId: "sweepLabReports",
  tag: "lab-reports",
  summary: "Start the parsing of lab reports that waits",
  trigger: { kind: "schedule", rate: { minutes: 1 } },
  message: z.unknown(),
  access: [query(labReports, "due"), send(reportParses)],
  timeoutS: 55,
});

export const handler = consume(contract, async (_, { labReports, reportParses }) => {
  const { due, nextDueAt } = await labReports.due(ports().clock.now());
  for (const message of due) await reportParses.send(message);
  return { next_due_at: nextDueAt ?? null };
});
