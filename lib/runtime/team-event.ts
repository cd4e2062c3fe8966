import { gzipSync } from "node:zlib";
import type { EventReference } from "../events/envelope.ts";

/** An event on its way to a broker, with its body as webhooks have it. */
export interface TeamEvent {
  readonly event: EventReference;
  readonly body: string;
}

/** Why single events failed. */
export type Failures<E extends TeamEvent = TeamEvent> = ReadonlyMap<E, unknown>;

/** Bodies from this size on are compressed. */
const LARGE_BYTES = 1024;

/** The bytes to send for a body. */
export function contentOf({ body }: TeamEvent, compression: "auto" | "always" = "auto") {
  const plain = Buffer.from(body);
  const isCompressed = compression === "always" || plain.length >= LARGE_BYTES;
  return { content: isCompressed ? gzipSync(plain) : plain, isCompressed };
}

/** What events that have to stay in order have in common: their user, else their team. */
export const ordered = ({ event }: TeamEvent): string => event.user_id || event.team_id;

/** The same failure for each of several events. */
export const allFailed = <E extends TeamEvent>(events: readonly E[], error: unknown): Failures<E> =>
  new Map(events.map((event) => [event, error]));
