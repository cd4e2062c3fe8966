/**
 * Names of the business metrics (docs/service-levels.md). Functions count them by log lines in the embedded metric format,
 * and the dashboard and the alarms of service levels read them.
 */
export const businessMetrics = {
  /** Samples and summaries that a batch stored or changed. */
  samplesStored: "samples.stored",
  batchesStored: "batches.stored",
  /** Batches that were stored later than {@link LATE_MS} after they were received. */
  batchesLate: "batches.late",
  /** Refused records of requests, by reason. */
  recordsRefused: "records.refused",
  /** Runs of pulls, by provider and outcome. */
  pulls: "pulls.ended",
  /** Events that reached the webhooks queue, and those that waited there longer than {@link LATE_MS}. */
  eventsRouted: "events.routed",
  eventsLate: "events.late",
  /** Attempts of webhooks, by outcome. */
  attempts: "webhooks.attempted",
} as const;

/** Requests with a server error, by operation and version of the function. Alarms of gradual releases read it. */
export const FAILED_REQUESTS_METRIC = "requests.failed";

/** Age from which data or an event is late, ms. */
export const LATE_MS = 60_000;
