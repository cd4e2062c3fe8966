import * as z from "zod";

/** A record that was not taken, or with `field` one that was taken without it, by its place in the request. */
export const rejection = z
  .object({
    resource: z.string(),
    index: z.number().int().nonnegative(),
    reason: z.string().meta({ description: "Stable code, for example bad_time or out_of_bounds" }),
    field: z
      .string()
      .optional()
      .describe(
        "The field without which the record was taken, with dots, for example heart_rate.avg_bpm; names that the sender " +
          "made up are `*`. Absent where the whole record was refused",
      ),
    detail: z.string().optional().describe("What is expected of the field, for people"),
  })
  .meta({ id: "IngestRejection" });
export type Rejection = z.output<typeof rejection>;

/** The answer to an accepted batch: nothing is stored yet, everything accepted will be. Records without a field count. */
export const wireAcceptance = z
  .object({ receipt_id: z.string(), accepted: z.number().int(), rejected: z.array(rejection) })
  .meta({ id: "IngestAcceptance" });

/** What became of a batch; counts are final once `status` is `done`. */
export const wireReceipt = z
  .object({
    receipt_id: z.string(),
    status: z.enum(["pending", "done"]),
    stored: z.number().int(),
    updated: z.number().int(),
    unchanged: z.number().int(),
    rejected: z.array(rejection),
    event_ids: z.array(z.string()),
  })
  .meta({ id: "IngestReceipt" });
export type Receipt = z.output<typeof wireReceipt>;

/** An accepted record that could not be stored, by its place among the accepted records of its resource. */
export interface Refusal {
  readonly resource: string;
  readonly position: number;
  readonly reason: string;
}

/** Refusals with places in the request: records that were rejected at once stand between the accepted ones. */
export function toRejections(refused: readonly Refusal[], rejected: readonly Rejection[]): Rejection[] {
  return refused.map(({ resource, position, reason }) => {
    const whole = rejected.filter((one) => one.resource === resource && one.field === undefined);
    const earlier = whole.map(({ index }) => index);
    let index = position;
    for (const taken of earlier.sort((a, b) => a - b)) if (taken <= index) index++;
    return { resource, index, reason };
  });
}

/** What storing a batch did. */
export type Outcome = Pick<Receipt, "stored" | "updated" | "unchanged" | "event_ids">;
