/** More destinations than one invocation has; the container keeps no more connections than these. */
const MOST_KEPT = 20;

/** Clients of brokers that are kept while the container is warm, so that not every event costs a handshake. */
export class KeptClients<Client> {
  readonly #close: (client: Client) => Promise<unknown>;
  readonly #kept = new Map<string, Promise<Client>>();

  constructor(close: (client: Client) => Promise<unknown>) {
    this.#close = close;
  }

  /** The client that is kept under this name, else a new one. @returns also whether it has been used before. */
  async use(name: string, make: () => Promise<Client>): Promise<{ client: Client; isKept: boolean }> {
    const kept = this.#kept.get(name);
    const client = kept ?? make();
    // The last used one is the last to go.
    this.#kept.delete(name);
    this.#kept.set(name, client);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.drop(oldest);
    try {
      return { client: await client, isKept: kept !== undefined };
    } catch (error) {
      if (this.#kept.get(name) === client) this.#kept.delete(name);
      throw error;
    }
  }

  /** Gives up a client: the next use makes a new one. */
  drop(name: string): void {
    const dropped = this.#kept.get(name);
    this.#kept.delete(name);
    // It may be broken already, which is why it is dropped.
    dropped?.then(this.#close).catch(() => {});
  }
}
