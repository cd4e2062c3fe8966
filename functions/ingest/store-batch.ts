import {
  deleteObject,
  getItem,
  getObject,
  grants,
  putItem,
  queryItems,
  sendMessage,
  updateItem,
} from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { ingestion, lakeAppends, queryChanges } from "../../lib/contract/queues.ts";
import { batches, deliveredData, receipts, users } from "../../lib/contract/resources.ts";
import { howToStore } from "../../lib/domain/erasure/may-store.ts";
import { batchMessage } from "../../lib/domain/ingest/batch.ts";
import { MAX_QUEUE_DELAY_S } from "../../lib/domain/shared/durations.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { noteArrival, noteArrivalAccess } from "../../lib/services/connections/health/note-arrival.ts";
import { publishBatchEventsAccess } from "../../lib/services/events/publish-batch-events.ts";
import { announceDeletions } from "../../lib/services/ingest/announce-deletions.ts";
import { announceToLake } from "../../lib/services/ingest/announce-to-lake.ts";
import { countStoredBatch } from "../../lib/services/ingest/count-metrics.ts";
import { finishBatch } from "../../lib/services/ingest/finish-batch.ts";
import { loadBatch } from "../../lib/services/ingest/queue-batch.ts";
import {
  createBatchContext,
  storeBatchAccess,
  storeBatchContent,
  storeNextPart,
} from "../../lib/services/ingest/store-batch.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/**
 * Merges a batch into the store, publishes its events, then closes its receipt. In the grace period of its user too, but
 * nothing sends the events then. Each step is idempotent and records the same events on a retry. So a crash between them
 * neither loses nor duplicates an event. A large batch is stored part by part.
 */
export const contract = consumer({
  operationId: "storeBatch",
  tag: "ingest",
  summary: "Store a batch of samples and summaries",
  trigger: { kind: "queue", queue: ingestion, batchSize: 1, maxConcurrency: 100 },
  message: batchMessage,
  access: grants(
    storeBatchAccess,
    publishBatchEventsAccess,
    [getItem(receipts), queryItems(receipts), putItem(receipts), updateItem(receipts)],
    [getItem(users), getItem(deliveredData), putItem(deliveredData), updateItem(deliveredData)],
    noteArrivalAccess,
    [getObject(batches), deleteObject(batches)],
    [sendMessage(ingestion), sendMessage(lakeAppends), sendMessage(queryChanges)],
  ),
  memoryMb: 1024,
  timeoutS: 60,
});

export const handler = consume(contract, async ({ message, log, isRedelivered }, deps) => {
  const { users, userKeys, receipts, batches } = deps;
  const { content } = message;
  const scope = TeamScope.grant(message.team_id);
  const user = await users.getAnyState(scope, message.user_id);
  const next = howToStore(user, ports().clock.now());
  if (next === "wait") return deps.ingestion.send(message, { delayS: MAX_QUEUE_DELAY_S });
  if (!user || next === "drop") log.info("batch dropped: its user is erased");
  // The object goes last: a repeated message with a closed receipt may find none.
  else if ("inline" in content || (await receipts.isPending(scope, user.user_id, message.receipt_id))) {
    await userKeys.ensureKey(scope, user.user_id, { users, commit: deps.commit });
    const context = await createBatchContext(deps, scope, user, message, await loadBatch(content, batches));
    if (await storeNextPart(deps, context, message)) return;
    const results = await storeBatchContent(deps, context);
    await announceToLake(deps, message, results);
    await announceDeletions(deps, context, results);
    const { samples } = await finishBatch(deps, context, results, { message, isRedelivered });
    countStoredBatch(log, message, samples);
    // Mapping kept payloads again says nothing about the connection.
    if (context.batch.remap_id === undefined) await noteArrival(deps, context);
  }
  if ("key" in content) await batches.delete(content.key);
});
