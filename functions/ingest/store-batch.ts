import { drop, get, load, put, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { batches, chunks, ingestion, outbox, receipts, summaries, users } from "../../lib/contract/resources.ts";
import { batchMessage } from "../../lib/domain/batch.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { loadBatch } from "../../lib/runtime/ingestion.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { storeSamples, storeSummaries, tally } from "../../lib/runtime/storing.ts";
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
    put(chunks),
    get(summaries),
    put(summaries),
    put(outbox),
    get(receipts),
    update(receipts),
    load(batches),
    drop(batches),
  ],
  memoryMb: 1024,
  timeoutS: 60,
});

export const handler = consume(contract, async ({ message, log }, uses) => {
  const { users, chunks, summaries, outbox, receipts, batches } = uses;
  const scope = TeamScope.grant(message.team_id);
  const user = await users.get(scope, message.user_id);
  if (user) {
    const batch = await loadBatch(message.content, batches);
    const source = wireSourceOf({ provider: batch.provider, type: batch.source_type, device_id: batch.device_id });
    const context = { scope, user, source, receiptId: message.receipt_id, receivedAt: message.received_at, batch };
    const results = [...(await storeSamples(chunks, context)), ...(await storeSummaries(summaries, context))];
    const events = results.flatMap((result) => result.events);
    for (const event of events) await outbox.add(event, isoNow());
    const refused = results.flatMap((result) => result.refused);
    await receipts.finish(scope, user.user_id, message.receipt_id, tally(results), refused);
  } else log.info("batch dropped: its user is deleted");
  if ("key" in message.content) await batches.drop(message.content.key);
});
