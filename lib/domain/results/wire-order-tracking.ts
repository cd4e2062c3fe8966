import * as z from "zod";
import { openEnum, typedOpenEnum } from "../../contract/open-enum.ts";

const instant = z.iso.datetime({ offset: true });
const text = z.string().nullable();

/** Statuses of a marker: awaited, finally reported without all its results, or reported. */
export const markerTrackingStatuses = ["pending", "incomplete", "resulted"] as const;

/** What the collection of a sample is inferred from, if the laboratory reports no time. */
const collectionInferences = ["lab_arrival", "lab_accessioning", "scheduled_appointment"] as const;

/** When a result is expected: as first estimated, and as now. */
const estimate = z
  .object({ original_estimate: instant.nullable(), current_estimate: instant.nullable() })
  .meta({ id: "OrderTrackingEstimate" });

const namedMarker = { id: z.int(), name: z.string(), provider_id: text };

const marker = z.object({
  ...namedMarker,
  slug: z.string(),
  status: typedOpenEnum(markerTrackingStatuses),
  expected_at: estimate,
  results: z
    .array(z.object({ id: z.int().nullable(), name: z.string(), slug: z.string(), provider_id: text }))
    .describe("The results of the marker that the laboratory has reported"),
});

const update = z.object({
  created_at: instant,
  reason: text,
  revised_estimate: instant.nullable(),
  impacted_markers: z.array(z.object({ ...namedMarker, estimates: estimate })),
  source: openEnum(["lab", "patient"]),
});

/** Progress of an order towards its results, as returned. */
export const wireOrderTracking = z
  .object({
    order_id: z.guid(),
    expected_at: z.object({ final_results: estimate }),
    collected_at: z
      .object({
        collected_at: instant,
        is_inferred: z.boolean(),
        inferred_from: typedOpenEnum(collectionInferences).nullable(),
      })
      .nullable(),
    markers: z.array(marker),
    updates: z.array(update).describe("Changes of the estimate, oldest first"),
  })
  .meta({ id: "OrderTracking" });
export type OrderTracking = z.output<typeof wireOrderTracking>;
