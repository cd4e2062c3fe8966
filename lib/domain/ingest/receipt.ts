import * as z from "zod";

/** A rejected record, or with `field` a dropped field of an accepted record, by the record's index in the request. */
export const rejection = z
  .object({
    resource: z.string(),
    index: z.number().int().nonnegative(),
    reason: z.string().meta({ description: "Stable code, for example bad_time or out_of_bounds" }),
    field: z
      .string()
      .optional()
      .describe(
        "Dropped field as a path with dots, for example heart_rate.avg_bpm; sender-defined names " +
          "are `*`. Absent if the whole record was rejected",
      ),
    detail: z.string().optional().describe("Expected form of the field, for people"),
  })
  .meta({ id: "IngestRejection" });
export type Rejection = z.output<typeof rejection>;

/**
 * Response to an accepted batch. Nothing is stored yet; all accepted records will be. Records with dropped fields count
 * as accepted.
 */
export const wireIngestAcceptance = z
  .object({ receipt_id: z.string(), accepted: z.number().int(), rejected: z.array(rejection) })
  .meta({ id: "IngestAcceptance" });

/** Receipt of a batch; counts are final once `status` is `done`. */
export const wireIngestReceipt = z
  .object({
    receipt_id: z.string(),
    status: z.enum(["pending", "done"]),
    stored: z.number().int().describe("Number of new records"),
    updated: z.number().int().describe("Number of existing records that the batch changed"),
    unchanged: z.number().int().describe("Number of accepted records that change nothing"),
    rejected: z.array(rejection),
    event_ids: z.array(z.string()).describe("Ids of the batch's events, as in the header webhook-id"),
  })
  .meta({ id: "IngestReceipt" });
export type IngestReceipt = z.output<typeof wireIngestReceipt>;

/** An accepted record that could not be stored, by its position among the accepted records of its resource. */
export interface UnstoredRecord {
  readonly resource: string;
  readonly position: number;
  readonly reason: string;
}

/** Converts positions among accepted records to indexes in the request, by counting the records rejected at once. */
export function toRejections(refused: readonly UnstoredRecord[], rejected: readonly Rejection[]): Rejection[] {
  return refused.map(({ resource, position, reason }) => {
    const whole = rejected.filter((one) => one.resource === resource && one.field === undefined);
    const earlier = whole.map(({ index }) => index);
    let index = position;
    for (const taken of earlier.sort((a, b) => a - b)) if (taken <= index) index++;
    return { resource, index, reason };
  });
}

/** Result of storing a batch. */
export type StorageOutcome = Pick<IngestReceipt, "stored" | "updated" | "unchanged" | "event_ids">;
