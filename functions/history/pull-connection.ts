import { pullNow } from "../../lib/connections/pulling-now.ts";
import { findPulled } from "../../lib/connectors/connectors.ts";
import { get, keep, open, put, reveal, seal, send, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { connectionPulls, ingestion } from "../../lib/contract/queues.ts";
import {
  batches,
  connectionCredentials,
  connectionPolls,
  credentialsKey,
  customCredentials,
  outbox,
  providerApps,
  receipts,
  teams,
  usage,
  users,
} from "../../lib/contract/resources.ts";
import { pollName } from "../../lib/domain/linking/connection-poll.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { PermanentError } from "../../lib/runtime/errors.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { demoProviders } from "../../lib/simulators/demo-providers.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Pulls the new data of a connection, if its poll is due. */
export const contract = consumer({
  operationId: "pullConnection",
  tag: "history",
  summary: "Pull new data of a connection",
  trigger: { kind: "queue", queue: connectionPulls, batchSize: 1, maxConcurrency: 20 },
  message: pollName,
  access: [
    ...([get(teams), update(usage)] as const),
    ...([get(users), update(users), put(outbox), get(connectionPolls), put(connectionPolls)] as const),
    ...([get(connectionCredentials), update(connectionCredentials), get(customCredentials)] as const),
    ...([
      open(credentialsKey, "connection", "custom_credentials"),
      seal(credentialsKey, "connection"),
      put(receipts),
      send(ingestion),
      keep(batches),
    ] as const),
    reveal(providerApps),
  ],
  memoryMb: 1024,
  timeoutS: 120,
});

export const handler = consume(contract, async ({ message, log }, uses) => {
  const scope = TeamScope.grant(message.team_id);
  const poll = await uses.connectionPolls.get(scope, message);
  if (poll?.due_at === undefined || poll.due_at > isoNow()) return;
  const connector = await findPulled(message.provider);
  if (!connector) throw new PermanentError("no connector exists for this provider");
  await pullNow({ ...uses, demoProviders }, scope, poll, connector, log);
});
