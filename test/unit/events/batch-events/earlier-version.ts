import { usage as usageEntity } from "../../../../lib/contract/resources.ts";
import { utcDate } from "../../../../lib/domain/usage/usage-day.ts";
import type { NewEvent } from "../../../../lib/events/constructors/compose-event.ts";
import { encodeText } from "../../../../lib/store/events/event-body.ts";
import { FEED_RETENTION_S, pageKey, tailKey } from "../../../../lib/store/events/feed-items.ts";
import { toUnsentItem } from "../../../../lib/store/events/outbox-items.ts";
import { NOT_EXISTS } from "../../../../lib/store/table.ts";
import type { WriteItem } from "../../../../lib/store/transaction.ts";

/** Events that a version without the tail appends to the feed of a team. */
interface EarlierAppend {
  readonly teamId: string;
  readonly events: readonly NewEvent[];
  /** Last sequence before them. */
  readonly after: number;
  readonly nowMs: number;
}

/**
 * Builds the transaction with which a version without the tail appends published events: the last sequence, a page, the
 * sequences in the outbox, and the count of the day.
 */
export function earlierAppend(TableName: string, { teamId, events, after, nowMs }: EarlierAppend): WriteItem[] {
  const last = after + events.length;
  const entries = events.map(({ reference: { event_id, user_id } }) => ({ event_id, user_id }));
  const expires_at = Math.floor(nowMs / 1000) + FEED_RETENTION_S;
  const page = { ...pageKey(teamId, last), first: after + 1, entries, expires_at };
  const counter = {
    TableName,
    Key: tailKey(teamId),
    UpdateExpression: "SET #last = :last",
    ConditionExpression: after === 0 ? NOT_EXISTS : "#last = :after",
    ExpressionAttributeNames: { "#last": "last" },
    ExpressionAttributeValues: { ":last": last, ...(after === 0 ? {} : { ":after": after }) },
  };
  const listed = events.map(({ reference, body }, place) => {
    const { unsent_shard: _, ...item } = toUnsentItem(reference, new Date(nowMs).toISOString());
    const sequenced = { sequence: after + 1 + place, feed_page: page.sk, body: encodeText(JSON.stringify(body)) };
    return { Put: { TableName, Item: { ...item, ...sequenced }, ConditionExpression: NOT_EXISTS } };
  });
  const counted = {
    TableName: usageEntity.table.name,
    Key: { pk: `${usageEntity.keyPrefix}${teamId}`, sk: `events#${utcDate(nowMs)}` },
    UpdateExpression: "ADD #events :events",
    ExpressionAttributeNames: { "#events": "events" },
    ExpressionAttributeValues: { ":events": events.length },
  };
  return [
    ...listed,
    { Update: counter },
    { Put: { TableName, Item: page, ConditionExpression: NOT_EXISTS } },
    { Update: counted },
  ];
}
