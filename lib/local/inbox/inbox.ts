import { InboxTable, type StoredWebhook, type WebhookSummary } from "./inbox-table.ts";
import { hasValidSignature, type ReceivedWebhook } from "./webhook-verification.ts";

export interface InboxOptions {
  /** Database file, or ":memory:". */
  readonly path: string;
  /** Signing secret of the webhook endpoint that points to the inbox; undefined while no endpoint exists. */
  readonly secret: () => string | undefined;
  /** Epoch milliseconds of the local cloud's clock. */
  readonly now: () => number;
}

/** A received webhook. */
export interface InboxDelivery {
  /** ISO instant on the local cloud's clock. */
  readonly received_at: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the raw text of a non-JSON body. */
  readonly body: unknown;
  /** Whether the signature was valid on arrival. */
  readonly verified: boolean;
}

/** Summary of a delivery. Event type and user are null when the body lacks them. */
export type InboxEntry = WebhookSummary;

/** An event type, or a prefix that ends in a dot, such as `daily.data.`. */
export interface InboxFilter {
  readonly eventType?: string;
}

/** A change of the inbox: a new entry, or the deletion of all entries or of those of a filter. */
export type InboxChange =
  | { readonly kind: "received"; readonly entry: InboxEntry }
  | { readonly kind: "cleared"; readonly filter: InboxFilter };

/**
 * A webhook receiver for development. It accepts every webhook, stores the newest 20,000 across restarts, and verifies
 * the signature of each.
 */
export class Inbox {
  readonly #table: InboxTable;
  readonly #secret: InboxOptions["secret"];
  readonly #now: InboxOptions["now"];
  readonly #listeners = new Set<(change: InboxChange) => void>();

  constructor({ path, secret, now }: InboxOptions) {
    this.#table = new InboxTable(path);
    this.#secret = secret;
    this.#now = now;
  }

  /** Stores a webhook. Once this returns, the webhook survives a killed process. */
  receive(webhook: ReceivedWebhook): void {
    const now = this.#now();
    const secret = this.#secret();
    const parsed = parseBody(webhook.body);
    const entry = {
      received_at: new Date(now).toISOString(),
      event_type: textField(parsed, "event_type"),
      user_id: textField(parsed, "user_id"),
      verified: secret !== undefined && hasValidSignature(webhook, secret, now),
    };
    const id = this.#table.add({ ...entry, ...webhook });
    this.#notify({ kind: "received", entry: { id, ...entry } });
  }

  /** Deliveries in order of arrival, newest last. */
  list(filter: InboxFilter = {}): InboxDelivery[] {
    return [...this.deliveries(filter)];
  }

  /** Like {@link list}, but reads the deliveries lazily: all bodies together may exceed the memory. */
  *deliveries({ eventType }: InboxFilter = {}): Generator<InboxDelivery> {
    for (const stored of this.#table.deliveries(eventType)) yield toInboxDelivery(stored);
  }

  /** One delivery; undefined when the inbox does not contain it. */
  find(id: number): InboxDelivery | undefined {
    const stored = this.#table.find(id);
    return stored && toInboxDelivery(stored);
  }

  /** Summaries of all deliveries, newest last. */
  entries(): InboxEntry[] {
    return this.#table.entries();
  }

  /** Deletes all deliveries, or those of a filter. */
  clear(filter: InboxFilter = {}): void {
    this.#table.clear(filter.eventType);
    this.#notify({ kind: "cleared", filter });
  }

  /** Calls `listener` on every further change. @returns a function that ends the subscription. */
  subscribe(listener: (change: InboxChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#table.close();
  }

  #notify(change: InboxChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

function toInboxDelivery({ received_at, headers, body, verified }: StoredWebhook): InboxDelivery {
  return { received_at, headers, body: parseBody(body), verified };
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A text field of an unvalidated body. */
function textField(body: unknown, name: string): string | null {
  if (typeof body !== "object" || body === null) return null;
  const value: unknown = Reflect.get(body, name);
  return typeof value === "string" ? value : null;
}
