import * as z from "zod";
import { openEnum, typedOpenEnum } from "../../contract/open-enum.ts";
import type { Refusal } from "./refusal.ts";
import { describeReason } from "./rejection-help.ts";
import { type RejectionReason, rejectionReasons } from "./rejection-reasons.ts";

/** What a rejection means for its record: it is not accepted, or it is accepted without a field. */
const effects = ["record_rejected", "field_dropped"] as const;

/** Prefix of the resource of a deletion. */
export const DELETED = "deleted.";

/** A rejected record, or a dropped field of an accepted record, by the record's index in the request. */
export interface Rejection extends Refusal {
  readonly resource: string;
  readonly index: number;
  readonly effect: (typeof effects)[number];
  /** The words that an earlier version stored. Later versions derive them from the other members. */
  readonly detail?: string | undefined;
}

/** A rejection in responses. */
export const wireRejection = z
  .object({
    resource: z.string().describe("Resource of the record; with the prefix `deleted.` for a deletion"),
    index: z.number().int().nonnegative().describe("Position of the record in the list of its resource, from 0"),
    effect: typedOpenEnum(effects).describe(
      "`record_rejected`: the service leaves out the whole record. `field_dropped`: it accepts the record without the field",
    ),
    field: z
      .string()
      .nullable()
      .describe(
        "Path of the invalid field in the record, joined by dots, for example heart_rate.avg_bpm or stage_type.3; " +
          "sender-defined names are `*`. Null if the record as a whole is invalid",
      ),
    reason: openEnum(rejectionReasons).describe("Stable code, for example bad_time or out_of_bounds"),
    detail: z.string().describe("What the service expects there, for people. It never repeats the submitted value"),
  })
  .meta({ id: "IngestRejection" });
export type WireRejection = z.output<typeof wireRejection>;

/**
 * A rejection as stored. Earlier versions stored no effect, and a field with words only if they dropped it. Of a rejected
 * record, they have only the reason.
 */
export const rejectionRecord = z
  .object({
    resource: z.string(),
    index: z.number().int().nonnegative(),
    effect: z.enum(effects).optional(),
    field: z.string().nullish(),
    reason: z.custom<RejectionReason>((text) => typeof text === "string"),
    detail: z.string().optional(),
    omitted: z.tuple([z.number(), z.number()]).optional(),
  })
  .transform(({ effect, field = null, omitted, detail, ...rest }): Rejection => {
    const words = detail ?? (effect === undefined ? describeReason(rest.reason) : undefined);
    return {
      ...rest,
      effect: effect ?? (field === null ? "record_rejected" : "field_dropped"),
      field,
      ...(omitted ? { omitted } : {}),
      ...(words === undefined ? {} : { detail: words }),
    };
  });

/** An accepted record that could not be stored, by its position among the accepted records of its resource. */
export interface UnstoredRecord {
  readonly resource: string;
  readonly position: number;
  readonly reason: RejectionReason;
}

/** Converts positions among accepted records to indexes in the request, by counting the records rejected at once. */
export function toRejections(refused: readonly UnstoredRecord[], rejected: readonly Rejection[]): Rejection[] {
  return refused.map(({ resource, position, reason }) => {
    const whole = rejected.filter((one) => one.resource === resource && one.effect === "record_rejected");
    const earlier = whole.map(({ index }) => index);
    let index = position;
    for (const taken of earlier.sort((a, b) => a - b)) if (taken <= index) index++;
    return { resource, index, effect: "record_rejected", field: null, reason };
  });
}
