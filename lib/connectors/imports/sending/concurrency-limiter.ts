/** Runs at most `limit` tasks concurrently; the first error stops it. */
export class ConcurrencyLimiter {
  readonly #limit: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Starts a task as soon as a slot is free. @throws the error of an earlier task. */
  async start(work: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#limit) await Promise.race(this.#running);
    this.#throwFailure();
    const piece = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(piece));
    this.#running.add(piece);
  }

  /** Waits for all tasks. @throws the first error of a task. */
  async finish(): Promise<void> {
    await Promise.all(this.#running);
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }
}
