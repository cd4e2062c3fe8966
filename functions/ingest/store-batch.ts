import { drop, get, keep, load, put, query, remove, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import {
  batches,
  chunks,
  ingestion,
  newestEvents,
  outbox,
  receipts,
  streamRecords,
  streams,
  summaries,
  users,
} from "../../lib/contract/resources.ts";
import { batchMessage } from "../../lib/domain/batch.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { loadBatch } from "../../lib/runtime/ingestion.ts";
import { isLatestOf } from "../../lib/runtime/is-latest.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { eventsOf, tally } from "../../lib/runtime/storing.ts";
import { storeContent } from "../../lib/runtime/storing-batch.ts";
import { tell } from "../../lib/runtime/telling.ts";
import { wireSourceOf } from "../../lib/runtime/wire-source.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/**
 * Merges a batch into the store, then writes its events, then closes its receipt. Each step is idempotent and tells on a
 * repetition the same as the first time, so a crash anywhere between them loses and doubles nothing.
 */
export const contract = consumer({
  operationId: "storeBatch",
  tag: "ingest",
  summary: "Store a batch of samples and summaries",
  trigger: { kind: "queue", queue: ingestion, batchSize: 10 },
  message: batchMessage,
  access: [
    get(users),
    get(chunks),
    query(chunks),
    put(chunks),
    get(summaries),
    query(summaries),
    put(summaries),
    update(summaries),
    get(streamRecords),
    put(streamRecords),
    keep(streams),
    drop(streams),
    put(newestEvents),
    put(outbox),
    get(receipts),
    query(receipts),
    put(receipts),
    remove(receipts),
    load(batches),
    drop(batches),
  ],
  memoryMb: 1024,
  timeoutS: 60,
});

export const handler = consume(contract, async ({ message, log }, uses) => {
  const { users, receipts, batches } = uses;
  const scope = TeamScope.grant(message.team_id);
  const user = await users.get(scope, message.user_id);
  if (user) {
    const batch = await loadBatch(message.content, batches);
    const source = wireSourceOf({ provider: batch.provider, type: batch.source_type, device_id: batch.device_id });
    const { receipt_id: receiptId, received_at: receivedAt } = message;
    const isLatest = isLatestOf(receipts, scope, message);
    const context = { scope, user, source, receiptId, receivedAt, batch, isLatest };
    const results = await storeContent(uses, context);
    await tell(eventsOf(results), uses);
    const refused = results.flatMap((result) => result.refused);
    await receipts.finish(scope, user.user_id, receiptId, tally(results), refused, isoNow());
  } else log.info("batch dropped: its user is deleted");
  if ("key" in message.content) await batches.drop(message.content.key);
});
