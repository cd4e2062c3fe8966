/** Base class of failed requests to a provider. */
export class ProviderError extends Error {}

/** The provider's rate limit is exhausted. */
export class RateLimited extends ProviderError {
  override readonly name = "RateLimited";
  /** Epoch milliseconds. */
  readonly retryAtMs: number;

  constructor(retryAtMs: number) {
    super("the provider's rate limit is exhausted");
    this.retryAtMs = retryAtMs;
  }
}

/** The provider did not respond, or its response is invalid. A retry may succeed. */
export class ProviderUnavailable extends ProviderError {
  override readonly name: string = "ProviderUnavailable";
}

/** The provider rejected the client credentials. A retry succeeds once they are corrected. */
export class ApplicationRefused extends ProviderUnavailable {
  override readonly name = "ApplicationRefused";

  constructor(options: ErrorOptions) {
    super("the provider rejected the client credentials", options);
  }
}

/** The provider rejected the request with a 4xx status. A retry fails again. */
export class ProviderRefused extends ProviderError {
  override readonly name = "ProviderRefused";
  readonly status: number;

  constructor(status: number) {
    super(`the provider rejected the request with status ${status}`);
    this.status = status;
  }
}

/** The provider's response cannot be processed. A retry fails again. */
export class UnreadableAnswer extends ProviderError {
  override readonly name = "UnreadableAnswer";
}

/** Access expired or was revoked. The user must connect again. */
export class AccessEnded extends ProviderError {
  override readonly name = "AccessEnded";
}

/** Maps a {@link ProviderRefused} to undefined, for an optional part of a record. @param statuses all by default. */
export async function undefinedIfRefused<T>(asked: Promise<T>, statuses?: readonly number[]): Promise<T | undefined> {
  return asked.catch((error) => {
    if (error instanceof ProviderRefused && (statuses?.includes(error.status) ?? true)) return undefined;
    throw error;
  });
}

/** Awaits an optional request: a {@link ProviderRefused} is ignored, for data that the user may not have shared. */
export async function ignoreRefusal(asked: Promise<unknown>): Promise<void> {
  await undefinedIfRefused(asked);
}
