import { gzipSync } from "node:zlib";
import type { EventReference } from "../../events/catalogue/envelope.ts";

/** An event for a broker, with the body of webhooks. */
export interface BrokerEvent {
  readonly event: EventReference;
  readonly body: string;
}

/** The error of each failed event. */
export type SendFailures<E extends BrokerEvent = BrokerEvent> = ReadonlyMap<E, unknown>;

/** Minimum size of a compressed body in bytes. */
const MIN_COMPRESSED_BYTES = 1024;

/** Encodes a body, compressed if it is large or `compression` demands it. */
export function encodeBody({ body }: BrokerEvent, compression: "auto" | "always" = "auto") {
  const plain = Buffer.from(body);
  const isCompressed = compression === "always" || plain.length >= MIN_COMPRESSED_BYTES;
  return { content: isCompressed ? gzipSync(plain) : plain, isCompressed };
}

/** Returns the ordering key of an event: its user, or else its team. */
export const eventOrderingKey = ({ event }: BrokerEvent): string => event.user_id || event.team_id;

/** Assigns the same error to all events. */
export const failAll = <E extends BrokerEvent>(events: readonly E[], error: unknown): SendFailures<E> =>
  new Map(events.map((event) => [event, error]));
