/**
 * Why a record was rejected by its own content. Receipts carry these strings, so they are part of the API.
 * Two more reasons concern its surroundings: `unknown_resource` and `too_dense` (storage).
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
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];
