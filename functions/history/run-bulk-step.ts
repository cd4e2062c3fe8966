import { takeStep } from "../../lib/connections/bulk-steps.ts";
import { get, open, put, query, reveal, seal, send, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { bulkWork, historyPulls } from "../../lib/contract/queues.ts";
import {
  bulkOps,
  bulkSteps,
  connectionCredentials,
  connectionPolls,
  credentialsKey,
  customCredentials,
  historicalPulls,
  outbox,
  providerAccounts,
  providerApps,
  pullPreferences,
  teams,
  users,
} from "../../lib/contract/resources.ts";
import { bulkStepName } from "../../lib/domain/linking/bulk-op.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Runs a bulk operation's step for one user: imports a connection, or starts its history pull. */
export const contract = consumer({
  operationId: "runBulkStep",
  tag: "history",
  summary: "Run one step of a bulk operation",
  trigger: { kind: "queue", queue: bulkWork, batchSize: 10, maxConcurrency: 10 },
  message: bulkStepName,
  access: [
    ...([get(bulkSteps), update(bulkSteps), update(bulkOps), get(teams), get(users), update(users)] as const),
    ...([get(connectionCredentials), put(connectionCredentials), put(connectionPolls), put(outbox)] as const),
    ...([
      get(customCredentials),
      open(credentialsKey, "bulk_import", "custom_credentials"),
      seal(credentialsKey, "connection"),
      update(providerAccounts),
    ] as const),
    ...([get(pullPreferences), query(historicalPulls), put(historicalPulls), send(historyPulls)] as const),
    reveal(providerApps),
  ],
  timeoutS: 60,
});

export const handler = consume(contract, async ({ message }, uses) => {
  const scope = TeamScope.grant(message.team_id);
  const step = await uses.bulkSteps.get(scope, message);
  if (step?.status === "pending") await takeStep(uses, scope, step);
});
