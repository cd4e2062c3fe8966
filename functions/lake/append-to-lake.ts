import { consumer } from "../../lib/contract/consumer.ts";
import { lakeAppends } from "../../lib/contract/queues.ts";
import { lakeMessage } from "../../lib/events/lake/lake-message.ts";
import { consumeBatch } from "../../lib/runtime/consume.ts";
import { appendToLakes, appendToLakesAccess } from "../../lib/services/lake/append-to-lakes.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Appends stored batches and events to the lakes of teams, many in one commit. */
export const contract = consumer({
  operationId: "appendToLake",
  tag: "lake",
  summary: "Append stored data to the lakes of teams",
  trigger: { kind: "queue", queue: lakeAppends, batchSize: 90, batchWindowS: 60, maxConcurrency: 2 },
  message: lakeMessage,
  access: appendToLakesAccess,
  memoryMb: 1769,
  timeoutS: 300,
});

export const handler = consumeBatch(contract, (deliveries, deps) => appendToLakes(deliveries, TeamScope.grant, deps));
