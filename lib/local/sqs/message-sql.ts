/**
 * The table of messages. Instants are epoch milliseconds, queues are ARNs. `receipt` belongs to the latest receive and
 * is null before the first. With a `visible_at` in the future it distinguishes in-flight from delayed messages.
 */
export const messageSchema = `
  CREATE TABLE IF NOT EXISTS message (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    queue TEXT NOT NULL,
    body TEXT NOT NULL,
    attributes TEXT NOT NULL,
    group_id TEXT,
    sent_at INTEGER NOT NULL,
    visible_at INTEGER NOT NULL,
    receipt TEXT,
    receive_count INTEGER NOT NULL DEFAULT 0,
    first_received_at INTEGER,
    dead_letter_source TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS message_by_visibility ON message (queue, visible_at);
`;

const MESSAGE_COLUMNS =
  "seq, id, body, attributes, group_id, sent_at, receive_count, first_received_at, dead_letter_source";

/** The SQL statements of the message store, with named parameters. */
export const messageStatements = {
  insert: `INSERT INTO message (id, queue, body, attributes, group_id, sent_at, visible_at)
    VALUES (:id, :queue, :body, :attributes, :groupId, :now, :visibleAt)`,
  visible: `SELECT ${MESSAGE_COLUMNS} FROM message
    WHERE queue = :queue AND visible_at <= :now ORDER BY visible_at, seq LIMIT :max`,
  // Fair queues: a group with several messages in flight waits for the other groups.
  visibleOfQuiet: `SELECT ${MESSAGE_COLUMNS} FROM message
    WHERE queue = :queue AND visible_at <= :now AND (group_id IS NULL OR group_id NOT IN (
      SELECT group_id FROM message WHERE queue = :queue AND visible_at > :now AND receipt IS NOT NULL
        AND group_id IS NOT NULL GROUP BY group_id HAVING count(*) > 1))
    ORDER BY visible_at, seq LIMIT :max`,
  hasVisible: `SELECT 1 FROM message
    WHERE queue = :queue AND visible_at <= :now AND sent_at + :retentionMs > :now LIMIT 1`,
  // A message that expires before it becomes visible is skipped.
  nextVisible: `SELECT visible_at FROM message
    WHERE queue = :queue AND visible_at > :now AND sent_at + :retentionMs > visible_at ORDER BY visible_at LIMIT 1`,
  receive: `UPDATE message SET receipt = :receipt, visible_at = :visibleAt, receive_count = receive_count + 1,
    first_received_at = coalesce(first_received_at, :now) WHERE seq = :seq RETURNING ${MESSAGE_COLUMNS}`,
  changeVisibility: `UPDATE message SET visible_at = :visibleAt
    WHERE seq = :seq AND receipt = :receipt AND queue = :queue AND visible_at > :now
      AND sent_at + :retentionMs > :now`,
  endDelays: `UPDATE message SET visible_at = :now
    WHERE queue = :queue AND visible_at > :now AND receipt IS NULL AND sent_at + :retentionMs > :now`,
  moveToDeadLetters: `UPDATE message SET queue = :deadLetterQueue, dead_letter_source = queue, visible_at = :now, receipt = NULL
    WHERE seq = :seq`,
  redrive: `UPDATE message SET queue = :destination, dead_letter_source = NULL, id = new_id(), sent_at = :now,
    visible_at = :now, receipt = NULL, receive_count = 0, first_received_at = NULL
    WHERE queue = :queue AND visible_at <= :now AND sent_at + :retentionMs > :now
      AND (dead_letter_source = :source OR :source IS NULL)`,
  remove: "DELETE FROM message WHERE seq = :seq",
  removeReceived: "DELETE FROM message WHERE seq = :seq AND receipt = :receipt AND queue = :queue",
  removeAll: "DELETE FROM message WHERE queue = :queue",
  removeExpired: "DELETE FROM message WHERE queue = :queue AND sent_at + :retentionMs <= :now",
  depth: `SELECT count(*) FILTER (WHERE visible_at <= :now) AS visible,
    count(*) FILTER (WHERE visible_at > :now AND receipt IS NULL) AS delayed,
    count(*) FILTER (WHERE visible_at > :now AND receipt IS NOT NULL) AS inFlight
    FROM message WHERE queue = :queue AND sent_at + :retentionMs > :now`,
  release: "UPDATE message SET visible_at = :now WHERE receipt IS NOT NULL AND visible_at > :now",
};
