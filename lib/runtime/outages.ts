import { Unavailable } from "./errors.ts";

/** The answer while a part of the service does not: whoever asks may ask again. */
export const busy = (cause?: unknown): Unavailable =>
  new Unavailable("The service is busy; the same request may succeed later.", {
    cause,
    headers: { "retry-after": "1" },
  });

/** Errors of AWS that a later try may not meet, by name: too much at once, or two writers at one item. */
const passing =
  /^(Throttling|ProvisionedThroughputExceeded|RequestLimitExceeded|TransactionConflict|TransactionCanceled|TimeoutError)/;

/** Whether a part of the service did not answer: throttling, a server-side fault, a lost connection. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { $metadata, $fault, code } = error as {
    $metadata?: { httpStatusCode?: number };
    $fault?: string;
    code?: string;
  };
  if (passing.test(error.name) || $fault === "server") return true;
  return ($metadata?.httpStatusCode ?? 0) >= 500 || /^(ECONN|EPIPE|ETIMEDOUT)/.test(code ?? "");
}
