import { consumer } from "../../lib/contract/consumer.ts";
import { historyPulls } from "../../lib/contract/queues.ts";
import { pullRef } from "../../lib/domain/connections/pulls/historical-pull.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { pullNextWindow, pullNextWindowAccess } from "../../lib/services/connections/pulls/pull-next-window.ts";
import { requirePulledProvider } from "../../lib/services/connections/pulls/require-pulled-provider.ts";
import { loadDemoProviders } from "../../lib/simulators/load-demo-providers.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Pulls one window of one resource's history for a new connection, if the pull is due. */
export const contract = consumer({
  operationId: "pullHistory",
  tag: "history",
  summary: "Pull one window of a connection's history",
  trigger: { kind: "queue", queue: historyPulls, batchSize: 1, maxConcurrency: 20 },
  message: pullRef,
  access: pullNextWindowAccess,
  memoryMb: 1024,
  timeoutS: 120,
});

export const handler = consume(contract, async ({ message, log }, deps) => {
  const scope = TeamScope.grant(message.team_id);
  const pull = await deps.historicalPulls.get(scope, message);
  if (pull?.due_at === undefined || pull.due_at > isoNow()) return;
  const connector = await requirePulledProvider(message.provider);
  await pullNextWindow({ ...deps, demoProviders: loadDemoProviders }, scope, pull, connector, log);
});
