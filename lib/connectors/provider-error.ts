/** A provider that did not do what it was asked to. */
export class ProviderError extends Error {}

/** It takes no more requests for now. */
export class RateLimited extends ProviderError {
  override readonly name = "RateLimited";
  /** Epoch milliseconds. */
  readonly retryAtMs: number;

  constructor(retryAtMs: number) {
    super("the provider takes no more requests for now");
    this.retryAtMs = retryAtMs;
  }
}

/** It did not answer, or not in a way that makes sense; it may later. */
export class ProviderUnavailable extends ProviderError {
  override readonly name: string = "ProviderUnavailable";
}

/** It does not know the application, or not by this secret; it may when that is set right. */
export class ApplicationRefused extends ProviderUnavailable {
  override readonly name = "ApplicationRefused";

  constructor(options: ErrorOptions) {
    super("the provider refused the application", options);
  }
}

/** It refused a request, and will again. */
export class ProviderRefused extends ProviderError {
  override readonly name = "ProviderRefused";
  readonly status: number;

  constructor(status: number) {
    super(`the provider refused with ${status}`);
    this.status = status;
  }
}

/** What it answers can not be made sense of, and asking again would not help. */
export class UnreadableAnswer extends ProviderError {
  override readonly name = "UnreadableAnswer";
}

/** The user has to connect again: access ended, or was taken back. */
export class AccessEnded extends ProviderError {
  override readonly name = "AccessEnded";
}

/** Waits for what a user may not have granted access to: a refusal is no error then. */
export async function unlessRefused(asked: Promise<unknown>): Promise<void> {
  await asked.catch((error) => {
    if (!(error instanceof ProviderRefused)) throw error;
  });
}
