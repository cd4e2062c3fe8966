import { expect } from "vitest";

/** The rejection of a record, as a response shows it. @param field the invalid field; null for the whole record. */
export const rejectionOf = (resource: string, index: number, field: string | null, reason: string) => ({
  ...{ resource, index, effect: "record_rejected", field, reason },
  detail: expect.stringMatching(/^Expected .*\.$/),
});

/** A field that is dropped from an accepted record, as a response shows it. */
export const dropOf = (resource: string, index: number, field: string, reason: string) => ({
  ...rejectionOf(resource, index, field, reason),
  effect: "field_dropped",
});
