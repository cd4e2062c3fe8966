/**
 * A failed delivery to a target, with the error code of its dead letter.
 * `deliver` throws it to set the code, or to prevent retries. Any other error counts as ERROR_FROM_TARGET and is
 * retried. Source: EventBridge User Guide, "Using dead-letter queues".
 */
export class DeliveryError extends Error {
  override name = "DeliveryError";
  /** For example NO_PERMISSIONS, NO_RESOURCE, THROTTLING, TIMEOUT. */
  readonly code: string;
  readonly isRetryable: boolean;

  constructor(code: string, message: string, isRetryable: boolean) {
    super(message);
    this.code = code;
    this.isRetryable = isRetryable;
  }

  /** Converts any thrown value to a DeliveryError. */
  static from(thrown: unknown): DeliveryError {
    if (thrown instanceof DeliveryError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new DeliveryError("ERROR_FROM_TARGET", message, true);
  }
}
