/**
 * Why the service refuses a record or a field. Receipts carry these strings, so they are part of the API. The order is
 * that of the checks of a sample, up to `bad_field`.
 */
export const rejectionReasons = [
  "bad_time",
  "end_before_start",
  "in_the_future",
  "out_of_bounds",
  "bad_type",
  "bad_value",
  "unknown_unit",
  "value_out_of_range",
  "bad_field",
  "too_large",
  "unknown_resource",
  "too_dense",
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];
