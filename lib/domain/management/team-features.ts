/** Opt-in and beta features of a team. A contract names the feature that gates it. */
export const teamFeatures = [
  "insurance",
  "bulk_export",
  "provider_raw_data",
  "lab_report_parsing",
  "lab_report_human_review",
  "psc_scheduling",
  "psc_cached_availability",
  "psc_idempotency",
  "psc_async_confirmation",
] as const;
