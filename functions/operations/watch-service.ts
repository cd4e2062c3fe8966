import * as z from "zod";
import { consumer } from "../../lib/contract/consumer.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { watchService } from "../../lib/services/operations/watch-service.ts";

/** Uses the service as a caller does, and counts what fails. */
export const contract = consumer({
  operationId: "watchService",
  tag: "operations",
  summary: "Play the life of a sample against the address of the deployment",
  trigger: { kind: "setting", setting: "watch" },
  message: z.unknown(),
  access: [],
  timeoutS: 120,
});

export const handler = consume(contract, ({ log }) => watchService(log));
