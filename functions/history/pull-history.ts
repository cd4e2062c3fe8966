import { pullNext } from "../../lib/connections/pulling-history.ts";
import { findPulled } from "../../lib/connectors/connectors.ts";
import { get, keep, open, put, reveal, seal, send, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { historyEnds, historyPulls, ingestion } from "../../lib/contract/queues.ts";
import {
  batches,
  connectionCredentials,
  credentialsKey,
  customCredentials,
  historicalPulls,
  outbox,
  providerApps,
  receipts,
  teams,
  usage,
  users,
} from "../../lib/contract/resources.ts";
import { pullName } from "../../lib/domain/linking/historical-pull.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { PermanentError } from "../../lib/runtime/errors.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { demoProviders } from "../../lib/simulators/demo-providers.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Pulls one window of one resource's history for a new connection, if the pull is due. */
export const contract = consumer({
  operationId: "pullHistory",
  tag: "history",
  summary: "Pull one window of a connection's history",
  trigger: { kind: "queue", queue: historyPulls, batchSize: 1, maxConcurrency: 20 },
  message: pullName,
  access: [
    ...([get(teams), update(usage)] as const),
    ...([get(users), update(users), put(outbox), get(historicalPulls), put(historicalPulls)] as const),
    ...([get(connectionCredentials), update(connectionCredentials), get(customCredentials)] as const),
    ...([
      open(credentialsKey, "connection", "custom_credentials"),
      seal(credentialsKey, "connection"),
      put(receipts),
      send(ingestion),
      keep(batches),
    ] as const),
    ...([send(historyEnds), send(historyPulls), reveal(providerApps)] as const),
  ],
  memoryMb: 1024,
  timeoutS: 120,
});

export const handler = consume(contract, async ({ message, log }, uses) => {
  const scope = TeamScope.grant(message.team_id);
  const pull = await uses.historicalPulls.get(scope, message);
  if (pull?.due_at === undefined || pull.due_at > isoNow()) return;
  const connector = await findPulled(message.provider);
  if (!connector) throw new PermanentError("no connector exists for this provider");
  await pullNext({ ...uses, demoProviders }, scope, pull, connector, log);
});
