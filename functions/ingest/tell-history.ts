import { get, put, query, send } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { historyEnds } from "../../lib/contract/queues.ts";
import { outbox, receipts, users } from "../../lib/contract/resources.ts";
import { historyEnd } from "../../lib/domain/linking/sync-part.ts";
import type { DataName } from "../../lib/events/catalogue.ts";
import { historicalEvent } from "../../lib/events/data-events.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { wireSourceOf } from "../../lib/runtime/wire-source.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Delay before the next check of whether all batches of a history are stored. */
const LOOK_AGAIN_S = 5;

/**
 * Records the event of a completed history, after all batches of the user received up to the history's last one are
 * stored.
 */
export const contract = consumer({
  operationId: "tellHistory",
  tag: "ingest",
  summary: "Record the event of a completed history",
  trigger: { kind: "queue", queue: historyEnds, batchSize: 10, maxConcurrency: 10 },
  message: historyEnd,
  access: [get(users), query(receipts), put(outbox), send(historyEnds)],
});

export const handler = consume(contract, async ({ message }, uses) => {
  const { team_id, user_id, provider, source_type: type, history_id, ranges, received_at } = message;
  const scope = TeamScope.grant(team_id);
  const user = await uses.users.get(scope, user_id);
  if (!user) return;
  if (await uses.receipts.isOlderPending(scope, user_id, "", received_at)) {
    await uses.historyEnds.send(message, { delayS: LOOK_AGAIN_S });
    return;
  }
  const source = wireSourceOf({ provider, type });
  const events = Object.entries(ranges).map(([name, range]) =>
    historicalEvent({ user, source }, history_id, name as DataName, range),
  );
  for (const event of events) await uses.outbox.add(event, isoNow());
});
