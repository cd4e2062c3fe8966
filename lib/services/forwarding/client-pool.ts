/** Maximum number of open clients of a container. One invocation has fewer destinations. */
const MAX_CLIENTS = 20;

/** A pool of broker clients that a warm container reuses, so that events cost no handshake. */
export class ClientPool<Client> {
  readonly #close: (client: Client) => Promise<unknown>;
  readonly #kept = new Map<string, Promise<Client>>();

  constructor(close: (client: Client) => Promise<unknown>) {
    this.#close = close;
  }

  /** Returns the pooled client of this name, or else a new one. `isKept` states whether the client was in the pool. */
  async acquire(name: string, make: () => Promise<Client>): Promise<{ client: Client; isKept: boolean }> {
    const kept = this.#kept.get(name);
    const client = kept ?? make();
    // Least recently used clients are evicted first.
    this.#kept.delete(name);
    this.#kept.set(name, client);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_CLIENTS && oldest !== undefined) this.evict(oldest);
    try {
      return { client: await client, isKept: kept !== undefined };
    } catch (error) {
      if (this.#kept.get(name) === client) this.#kept.delete(name);
      throw error;
    }
  }

  /** Removes and closes a client. The next use creates a new one. */
  evict(name: string): void {
    const dropped = this.#kept.get(name);
    this.#kept.delete(name);
    // Closing a broken client may fail.
    dropped?.then(this.#close).catch(() => {});
  }
}
