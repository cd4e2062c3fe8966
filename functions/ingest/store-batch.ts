import { check, drop, get, insert, keep, load, put, query, remove, send, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { ingestion } from "../../lib/contract/queues.ts";
import {
  batches,
  chunks,
  deliveredData,
  destinations,
  newestEvents,
  outbox,
  receipts,
  streamRecords,
  streams,
  summaries,
  usage,
  userKeys,
  users,
} from "../../lib/contract/resources.ts";
import { makingUserKeys } from "../../lib/contract/sealed.ts";
import { batchMessage } from "../../lib/domain/batch.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { loadBatch } from "../../lib/runtime/ingestion.ts";
import { noteDelivered } from "../../lib/runtime/linking/noting-delivered.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { eventsOf, tally, usedBy } from "../../lib/runtime/storing.ts";
import { contextOf, storeContent, storeNextPart } from "../../lib/runtime/storing-batch.ts";
import { tell } from "../../lib/runtime/telling.ts";
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
  access: [
    ...([get(users), get(destinations), get(chunks), query(chunks), put(chunks), insert(chunks)] as const),
    ...([get(summaries), query(summaries), put(summaries), update(summaries)] as const),
    ...([check(users), get(userKeys), ...makingUserKeys] as const),
    ...([get(streamRecords), put(streamRecords), keep(streams), drop(streams)] as const),
    ...([put(newestEvents), put(outbox), get(receipts), query(receipts), put(receipts), remove(receipts)] as const),
    ...([load(batches), drop(batches), update(usage), send(ingestion)] as const),
    ...([get(deliveredData), put(deliveredData)] as const),
  ],
  memoryMb: 1024,
  timeoutS: 60,
});

export const handler = consume(contract, async ({ message, log }, uses) => {
  const { users, userKeys, receipts, batches, usage } = uses;
  const { content, receipt_id: receiptId } = message;
  const scope = TeamScope.grant(message.team_id);
  const user = await users.get(scope, message.user_id);
  if (!user) log.info("batch dropped: its user is deleted");
  // The object is deleted last, so a repeated message with a closed receipt may find no object.
  else if ("inline" in content || (await receipts.isPending(scope, user.user_id, receiptId))) {
    await userKeys.ensure(scope, user.user_id, { users, commit: uses.commit });
    const context = await contextOf(uses, scope, user, message, await loadBatch(content, batches));
    if (await storeNextPart(uses, context, message)) return;
    const results = await storeContent(uses, context);
    await tell(eventsOf(results), uses);
    const refused = results.flatMap((result) => result.refused);
    const counts = usedBy(results, message);
    await receipts.finish(scope, user.user_id, receiptId, tally(results), refused, isoNow(), (close) =>
      noteDelivered(uses, { scope, userId: user.user_id, receiptId, batch: context.batch }, [
        close,
        ...usage.batchItems(scope, user.user_id, counts, ports().clock.now()),
      ]),
    );
  }
  if ("key" in content) await batches.drop(content.key);
});
