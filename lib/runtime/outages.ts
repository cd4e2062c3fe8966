import { Unavailable } from "./errors.ts";

/** Creates the retryable error for a part of the service that does not respond. */
export const serviceBusy = (cause?: unknown): Unavailable =>
  new Unavailable("The service is busy. Retry the request later.", {
    cause,
    headers: { "retry-after": "1" },
  });

/** Names of transient AWS errors: throttling, and conflicting writes of one item. */
const transientErrors =
  /^(Throttling|ProvisionedThroughputExceeded|RequestLimitExceeded|TransactionConflict|TransactionCanceled|TimeoutError)/;

/** Whether an error is an outage: throttling, a server-side fault or a lost connection. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { $metadata, $fault, code } = error as {
    $metadata?: { httpStatusCode?: number };
    $fault?: string;
    code?: string;
  };
  if (transientErrors.test(error.name) || $fault === "server") return true;
  return ($metadata?.httpStatusCode ?? 0) >= 500 || /^(ECONN|EPIPE|ETIMEDOUT)/.test(code ?? "");
}
