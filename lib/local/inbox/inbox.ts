import { InboxTable, type StoredDelivery, type StoredEntry } from "./inbox-table.ts";
import { isSigned, type ReceivedWebhook } from "./webhook-verification.ts";

export interface InboxOptions {
  /** Database file, or ":memory:". */
  readonly path: string;
  /** The signing secret of the endpoint that points here; undefined while there is none. */
  readonly secret: () => string | undefined;
  /** Epoch milliseconds of the local cloud's clock. */
  readonly now: () => number;
}

/** A received webhook as answered. */
export interface InboxDelivery {
  /** ISO instant on the local cloud's clock. */
  readonly received_at: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the raw text of a body that is not JSON. */
  readonly body: unknown;
  /** Whether the signature was right at the moment of arrival. */
  readonly verified: boolean;
}

/** What a list shows of a delivery; type and user are null where the body names none. */
export type InboxEntry = StoredEntry;

/** What happened to the inbox just now. */
export type InboxChange = { readonly kind: "received"; readonly entry: InboxEntry } | { readonly kind: "cleared" };

/**
 * A receiver of webhooks for looking at what arrives: it takes everything, keeps the newest 20,000 across restarts, and
 * says of each whether a careful receiver would have believed it.
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

  /** Takes a webhook. When this returns it is stored, also for a process that is killed next. */
  receive(webhook: ReceivedWebhook): void {
    const now = this.#now();
    const secret = this.#secret();
    const parsed = parseBody(webhook.body);
    const entry = {
      received_at: new Date(now).toISOString(),
      event_type: textField(parsed, "event_type"),
      user_id: textField(parsed, "user_id"),
      verified: secret !== undefined && isSigned(webhook, secret, now),
    };
    const id = this.#table.add({ ...entry, ...webhook });
    this.#tell({ kind: "received", entry: { id, ...entry } });
  }

  /**
   * Deliveries in the order of arrival, newest last.
   * @param filter.eventType only of this type; `daily.data.` (with a dot at its end) stands for all that begin so.
   */
  list(filter: { readonly eventType?: string } = {}): InboxDelivery[] {
    return [...this.deliveries(filter)];
  }

  /** As {@link list}, read as they are asked for: all bodies together may be too much for the memory. */
  *deliveries({ eventType }: { readonly eventType?: string } = {}): Generator<InboxDelivery> {
    for (const stored of this.#table.deliveries(eventType)) yield deliveryOf(stored);
  }

  /** One delivery, or undefined when it is not kept (any more). */
  find(id: number): InboxDelivery | undefined {
    const stored = this.#table.find(id);
    return stored && deliveryOf(stored);
  }

  /** Everything in short, newest last. */
  entries(): InboxEntry[] {
    return this.#table.entries();
  }

  clear(): void {
    this.#table.clear();
    this.#tell({ kind: "cleared" });
  }

  /** Tells `listener` of every change from now on. @returns ends it. */
  subscribe(listener: (change: InboxChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#table.close();
  }

  #tell(change: InboxChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

function deliveryOf({ received_at, headers, body, verified }: StoredDelivery): InboxDelivery {
  return { received_at, headers, body: parseBody(body), verified };
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A field of a body that may be anything. */
function textField(body: unknown, name: string): string | null {
  if (typeof body !== "object" || body === null) return null;
  const value: unknown = Reflect.get(body, name);
  return typeof value === "string" ? value : null;
}
