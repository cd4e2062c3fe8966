import { consumers } from "../../functions/index.ts";

/**
 * Queues whose messages are for speed alone: what they tell of is written down with the instant it is due at, and a
 * scheduled function sends the message again. That this is so is proven by `test/local/service/lost-messages.test.ts`.
 */
export const sweptQueues: readonly string[] = [
  ...new Set(
    consumers
      .filter(({ trigger }) => trigger.kind === "schedule")
      .flatMap(({ access }) => access.flatMap(({ action, on }) => (action === "sqs:SendMessage" ? [on.name] : []))),
  ),
];
