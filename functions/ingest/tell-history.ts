import { getItem, putItem, queryItems, sendMessage } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { historyEnds } from "../../lib/contract/queues.ts";
import { outbox, receipts, users } from "../../lib/contract/resources.ts";
import { completedHistory, fillUndated } from "../../lib/domain/connections/pulls/history-ranges.ts";
import type { DataResourceName } from "../../lib/events/catalogue/catalogue.ts";
import { historicalEvent } from "../../lib/events/constructors/data-events.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { wireSourceOf } from "../../lib/runtime/wire-source.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Delay before the next check of whether all batches of a history are stored. */
const RECHECK_DELAY_S = 5;

/**
 * Records the event of a completed history, after all batches of the user received up to the history's last one are
 * stored.
 */
export const contract = consumer({
  operationId: "tellHistory",
  tag: "ingest",
  summary: "Record the event of a completed history",
  trigger: { kind: "queue", queue: historyEnds, batchSize: 10, maxConcurrency: 10 },
  message: completedHistory,
  access: [
    getItem(users),
    getItem(receipts),
    queryItems(receipts),
    putItem(receipts),
    putItem(outbox),
    sendMessage(historyEnds),
  ],
});

export const handler = consume(contract, async ({ message }, deps) => {
  const { team_id, user_id, provider, source_type: type, history_id, ranges, received_at } = message;
  const scope = TeamScope.grant(team_id);
  const user = await deps.users.get(scope, user_id);
  if (!user) return;
  if (await deps.receipts.hasOlderPending(scope, user_id, "", received_at)) {
    await deps.historyEnds.send(message, { delayS: RECHECK_DELAY_S });
    return;
  }
  const source = wireSourceOf({ provider, type });
  const receivedOn = new Date(received_at).toISOString();
  const dated = fillUndated(ranges, { start_date: receivedOn, end_date: receivedOn });
  const events = Object.entries(dated).map(([name, range]) =>
    historicalEvent({ user, source }, history_id, name as DataResourceName, range),
  );
  for (const event of events) await deps.outbox.append(event, isoNow());
});
