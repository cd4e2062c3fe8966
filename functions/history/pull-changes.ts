import { consumer } from "../../lib/contract/consumer.ts";
import { changedPulls } from "../../lib/contract/queues.ts";
import { changedData } from "../../lib/domain/connections/pulls/changed-data.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { pullChange, pullChangeAccess } from "../../lib/services/connections/pulls/pull-change.ts";
import { requirePulledProvider } from "../../lib/services/connections/pulls/require-pulled-provider.ts";
import { loadDemoProviders } from "../../lib/simulators/load-demo-providers.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Pulls the data that a provider push reported as changed. */
export const contract = consumer({
  operationId: "pullChanges",
  tag: "history",
  summary: "Pull changed data of a connection",
  trigger: { kind: "queue", queue: changedPulls, batchSize: 1, maxConcurrency: 20 },
  message: changedData,
  access: pullChangeAccess,
  memoryMb: 1024,
  timeoutS: 120,
});

export const handler = consume(contract, async ({ message, log }, deps) => {
  const connector = await requirePulledProvider(message.provider);
  await pullChange(
    { ...deps, demoProviders: loadDemoProviders },
    TeamScope.grant(message.team_id),
    message,
    connector,
    log,
  );
});
