import { consumers } from "../../functions/index.ts";

/**
 * Queues whose messages only save time: the stored task has a due time, and a scheduled function resends a lost
 * message. `test/local/service/platform/faults/lost-messages.test.ts` proves it.
 */
export const bestEffortQueues: readonly string[] = [
  ...new Set(
    consumers
      .filter(({ trigger }) => trigger.kind === "schedule")
      .flatMap(({ access }) =>
        access.flatMap(({ action, resource }) => (action === "sqs:SendMessage" ? [resource.name] : [])),
      ),
  ),
];
