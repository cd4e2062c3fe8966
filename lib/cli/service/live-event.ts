import type { Style } from "../frame/session.ts";

/** An event of the feed, or a webhook of the inbox. */
export interface LiveEvent {
  /** When the inbox received the webhook, or when this command saw the event. ISO instant. */
  readonly seenAt: string;
  /** Null for an event without a body, whose user is deleted, and for a webhook without a type. */
  readonly type: string | null;
  readonly userId: string | null;
  /** Position in the team's feed, for events of the feed. */
  readonly sequence?: number;
  readonly eventId?: string;
  /** Whether the signature was valid, for webhooks of the inbox. */
  readonly isVerified?: boolean;
  readonly body: unknown;
}

/** Which events to show. */
export interface EventFilter {
  /** A type, or a prefix that ends in a dot. */
  readonly type: string | undefined;
  readonly user: string | undefined;
}

export function matchesFilter(event: LiveEvent, { type, user }: EventFilter): boolean {
  const hasType = type === undefined || (type.endsWith(".") ? event.type?.startsWith(type) : event.type === type);
  return hasType === true && (user === undefined || event.userId === user.toLowerCase());
}

/** Formats an event as one line without its data, which are health data. */
export function formatLiveEvent(event: LiveEvent, style: (style: Style, text: string) => string): string {
  const { seenAt, type, userId, sequence, isVerified } = event;
  const parts = [
    style("dim", seenAt),
    sequence === undefined ? undefined : `#${sequence}`,
    style("cyan", type ?? "(no type)"),
    userId === null ? undefined : `user ${userId}`,
    isVerified === undefined ? undefined : isVerified ? style("green", "verified") : style("red", "not verified"),
  ];
  return parts.filter((part) => part !== undefined).join("  ");
}

/** An event as `tail --json` prints it. */
export function toEventJson({ seenAt, type, userId, sequence, eventId, isVerified, body }: LiveEvent) {
  return {
    seen_at: seenAt,
    sequence,
    event_id: eventId,
    event_type: type,
    user_id: userId,
    verified: isVerified,
    body,
  };
}
