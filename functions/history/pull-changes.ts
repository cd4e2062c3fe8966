import { pullChange } from "../../lib/connections/pulling-changes.ts";
import { findPulled } from "../../lib/connectors/connectors.ts";
import { get, keep, open, put, reveal, seal, send, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { changedPulls, ingestion } from "../../lib/contract/queues.ts";
import {
  batches,
  connectionCredentials,
  credentialsKey,
  customCredentials,
  outbox,
  providerApps,
  receipts,
  teams,
  usage,
  users,
} from "../../lib/contract/resources.ts";
import { changedData } from "../../lib/domain/linking/changed-data.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { PermanentError } from "../../lib/runtime/errors.ts";
import { demoProviders } from "../../lib/simulators/demo-providers.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Pulls the data that a provider push reported as changed. */
export const contract = consumer({
  operationId: "pullChanges",
  tag: "history",
  summary: "Pull changed data of a connection",
  trigger: { kind: "queue", queue: changedPulls, batchSize: 1, maxConcurrency: 20 },
  message: changedData,
  access: [
    ...([get(teams), update(usage)] as const),
    ...([get(users), update(users), put(outbox)] as const),
    ...([get(connectionCredentials), update(connectionCredentials), get(customCredentials)] as const),
    ...([
      open(credentialsKey, "connection", "custom_credentials"),
      seal(credentialsKey, "connection"),
      put(receipts),
      send(ingestion),
      keep(batches),
    ] as const),
    ...([send(changedPulls), reveal(providerApps)] as const),
  ],
  memoryMb: 1024,
  timeoutS: 120,
});

export const handler = consume(contract, async ({ message, log }, uses) => {
  const connector = await findPulled(message.provider);
  if (!connector) throw new PermanentError("no connector exists for this provider");
  await pullChange({ ...uses, demoProviders }, TeamScope.grant(message.team_id), message, connector, log);
});
