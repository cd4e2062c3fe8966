import * as z from "zod";
import { wireMarker } from "./wire-lab-test.ts";

const count = z.int().min(0).nullable();

/** LOINC code of a result. */
const loinc = z
  .object({
    id: z.int(),
    name: z.string().describe("LOINC long common name"),
    slug: z.string(),
    code: z.string(),
    unit: z.string().nullable(),
  })
  .meta({ id: "Loinc" });

/** Result that a lab reports for a marker. */
export const expectedResult = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    lab_id: z.int(),
    provider_id: z.string(),
    required: z.boolean(),
    loinc,
  })
  .meta({ id: "ExpectedResult" });

/** Marker with its expected results. */
export const wireMarkerWithResults = wireMarker
  .extend({ expected_results: z.array(expectedResult) })
  .meta({ id: "MarkerWithResults" });

const amount = z.object({ base_amount_minor: z.int().describe("Cents"), modifiers: z.null() });

/** Prices of markers by id. */
export const markerPricing = z
  .object({ currency: z.literal("USD"), data: z.record(z.string(), amount) })
  .meta({ id: "MarkerPricing" });

/** Prices of lab tests by id, each with the prices of its markers. */
export const labTestPricing = z
  .object({
    currency: z.literal("USD"),
    data: z.record(z.string(), z.object({ pricing: amount, marker_breakdown: z.record(z.string(), amount) })),
  })
  .meta({ id: "LabTestPricing" });

/** Page of markers. */
export const markerPage = z
  .object({
    markers: z.array(wireMarkerWithResults),
    total: count,
    page: count,
    size: count,
    pages: count,
    pricing: markerPricing.nullable(),
  })
  .meta({ id: "MarkerPage" });

/** Converts a price in cents to its wire format. */
export const toWireAmount = (cents: number): z.input<typeof amount> => ({ base_amount_minor: cents, modifiers: null });
