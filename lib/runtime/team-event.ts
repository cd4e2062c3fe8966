import { gzipSync } from "node:zlib";
import type { EventReference } from "../events/envelope.ts";

/** An event for a broker, with the body of webhooks. */
export interface TeamEvent {
  readonly event: EventReference;
  readonly body: string;
}

/** The error of each failed event. */
export type Failures<E extends TeamEvent = TeamEvent> = ReadonlyMap<E, unknown>;

/** Minimum size of a compressed body in bytes. */
const LARGE_BYTES = 1024;

/** Encodes a body, compressed if it is large or `compression` demands it. */
export function contentOf({ body }: TeamEvent, compression: "auto" | "always" = "auto") {
  const plain = Buffer.from(body);
  const isCompressed = compression === "always" || plain.length >= LARGE_BYTES;
  return { content: isCompressed ? gzipSync(plain) : plain, isCompressed };
}

/** Returns the ordering key of an event: its user, or else its team. */
export const ordered = ({ event }: TeamEvent): string => event.user_id || event.team_id;

/** Assigns the same error to all events. */
export const allFailed = <E extends TeamEvent>(events: readonly E[], error: unknown): Failures<E> =>
  new Map(events.map((event) => [event, error]));
