import type { MessageRow, MessageStore, QueueView } from "./message-store.ts";
import type { QueueDefinition } from "./queue-definition.ts";

/**
 * Selects the first `max` visible messages of a queue. Deletes expired messages and dead-letters exhausted ones before.
 * @param notify called after messages have arrived in the dead-letter queue.
 */
export function selectReceivable(
  store: MessageStore,
  { redrive }: QueueDefinition,
  moment: QueueView,
  max: number,
  notify: (deadLetterArn: string) => void,
): MessageRow[] {
  for (;;) {
    const rows = store.visible(moment, max);
    const expired = rows.filter((row) => row.sent_at + moment.retentionMs <= moment.now);
    const spent = rows.filter((row) => redrive && row.receive_count >= redrive.maxReceiveCount);
    if (expired.length + spent.length === 0) return rows;
    for (const row of expired) store.remove(row.seq);
    if (!redrive || spent.length === 0) continue;
    for (const row of spent) store.moveToDeadLetters(row.seq, redrive.deadLetterArn, moment.now);
    notify(redrive.deadLetterArn);
  }
}
