import * as z from "zod";
import { wireMarker } from "./wire-lab-test.ts";

const count = z.int().min(0).nullable();

/** What a marker is coded by (spec, Marker). */
const loinc = z
  .object({
    id: z.int(),
    name: z.string().describe("The long common name of LOINC"),
    slug: z.string(),
    code: z.string(),
    unit: z.string().nullable(),
  })
  .meta({ id: "Loinc" });

/** A result that the lab will report for a marker (spec, ExpectedResult). */
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

/** A marker with what the lab will report for it (spec, Marker). */
export const wireMarkerWithResults = wireMarker
  .extend({ expected_results: z.array(expectedResult) })
  .meta({ id: "MarkerWithResults" });

const amount = z.object({ base_amount_minor: z.int().describe("Cents"), modifiers: z.null() });

/** Prices of markers by their ids. */
export const markerPricing = z
  .object({ currency: z.literal("USD"), data: z.record(z.string(), amount) })
  .meta({ id: "MarkerPricing" });

/** Prices of lab tests by their ids, each with those of its markers. */
export const labTestPricing = z
  .object({
    currency: z.literal("USD"),
    data: z.record(z.string(), z.object({ pricing: amount, marker_breakdown: z.record(z.string(), amount) })),
  })
  .meta({ id: "LabTestPricing" });

/** A page of markers. */
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

/** A price as the wire has it. */
export const inCents = (cents: number): z.input<typeof amount> => ({ base_amount_minor: cents, modifiers: null });
