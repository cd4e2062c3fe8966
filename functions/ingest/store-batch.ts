import {
  deleteItem,
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
import { ingestion } from "../../lib/contract/queues.ts";
import { batches, receipts, usage, users } from "../../lib/contract/resources.ts";
import { batchMessage } from "../../lib/domain/ingest/batch.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { recordEvents, recordEventsAccess } from "../../lib/services/events/record-events.ts";
import { loadBatch } from "../../lib/services/ingest/queue-batch.ts";
import { recordDeliveredData, recordDeliveredDataAccess } from "../../lib/services/ingest/record-delivered-data.ts";
import {
  createBatchContext,
  storeBatchAccess,
  storeBatchContent,
  storeNextPart,
} from "../../lib/services/ingest/store-batch.ts";
import { batchUsage, tallyOutcome, uniqueEvents } from "../../lib/services/ingest/store-samples.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/**
 * Merges a batch into the store, then records its events, then closes its receipt. Each step is idempotent and records
 * the same events on a retry, so a crash between them neither loses nor duplicates an event. A large batch is stored
 * part by part.
 */
export const contract = consumer({
  operationId: "storeBatch",
  tag: "ingest",
  summary: "Store a batch of samples and summaries",
  trigger: { kind: "queue", queue: ingestion, batchSize: 1, maxConcurrency: 100 },
  message: batchMessage,
  access: grants(
    getItem(users),
    storeBatchAccess,
    recordEventsAccess,
    [getItem(receipts), queryItems(receipts), putItem(receipts), deleteItem(receipts)],
    [getObject(batches), deleteObject(batches), updateItem(usage), sendMessage(ingestion)],
    recordDeliveredDataAccess,
  ),
  memoryMb: 1024,
  timeoutS: 60,
});

export const handler = consume(contract, async ({ message, log }, deps) => {
  const { users, userKeys, receipts, batches, usage } = deps;
  const { content, receipt_id: receiptId } = message;
  const scope = TeamScope.grant(message.team_id);
  const user = await users.get(scope, message.user_id);
  if (!user) log.info("batch dropped: its user is deleted");
  // The object is deleted last, so a repeated message with a closed receipt may find no object.
  else if ("inline" in content || (await receipts.isPending(scope, user.user_id, receiptId))) {
    await userKeys.ensureKey(scope, user.user_id, { users, commit: deps.commit });
    const context = await createBatchContext(deps, scope, user, message, await loadBatch(content, batches));
    if (await storeNextPart(deps, context, message)) return;
    const results = await storeBatchContent(deps, context);
    await recordEvents(uniqueEvents(results), deps);
    const refused = results.flatMap((result) => result.refused);
    const counts = batchUsage(results, message);
    await receipts.close(scope, user.user_id, receiptId, tallyOutcome(results), refused, isoNow(), (close) =>
      recordDeliveredData(deps, { scope, userId: user.user_id, receiptId, batch: context.batch }, [
        close,
        ...usage.addBatchItems(scope, user.user_id, counts, ports().clock.now()),
      ]),
    );
  }
  if ("key" in content) await batches.delete(content.key);
});
