import { consumer } from "../../lib/contract/consumer.ts";
import { connectionPulls } from "../../lib/contract/queues.ts";
import { connectionPollRef, isPollDue } from "../../lib/domain/connections/pulls/connection-poll.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { pullRecentData, pullRecentDataAccess } from "../../lib/services/connections/pulls/pull-recent-data.ts";
import { requirePulledProvider } from "../../lib/services/connections/pulls/require-pulled-provider.ts";
import { loadDemoProviders } from "../../lib/simulators/load-demo-providers.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Pulls the new data of a connection, if its poll is due. */
export const contract = consumer({
  operationId: "pullConnection",
  tag: "history",
  summary: "Pull new data of a connection",
  trigger: { kind: "queue", queue: connectionPulls, batchSize: 1, maxConcurrency: 20 },
  message: connectionPollRef,
  access: pullRecentDataAccess,
  memoryMb: 1024,
  timeoutS: 120,
});

export const handler = consume(contract, async ({ message, log }, deps) => {
  const scope = TeamScope.grant(message.team_id);
  const poll = await deps.connectionPolls.get(scope, message);
  if (!poll || !isPollDue(poll, isoNow())) return;
  const connector = await requirePulledProvider(message.provider);
  await pullRecentData({ ...deps, demoProviders: loadDemoProviders }, scope, poll, connector, log);
});
