import * as z from "zod";
import type { Catalogue } from "./catalogue.ts";
import { findLab, type Lab, toWireLab } from "./labs.ts";
import type { Marker } from "./marker.ts";
import { toMarkerPricing } from "./marker-page.ts";
import { collectionMethods, type wireLabTest } from "./wire-lab-test.ts";
import { type labTestPricing, toWireAmount } from "./wire-markers.ts";

/** Stored lab test: markers of one lab that are ordered together, with their collection method. */
export const labTestRecord = z.object({
  lab_test_id: z.string(),
  team_id: z.string().nullable(),
  name: z.string(),
  description: z.string(),
  method: z.enum(collectionMethods),
  fasting: z.boolean(),
  lab: z.string(),
  provider_ids: z.array(z.string()),
  is_active: z.boolean(),
  auto_generated: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type LabTest = z.output<typeof labTestRecord>;

/** Request to create a lab test, with markers given by id or by the test codes of a lab. */
export const labTestDraft = z.object({
  name: z.string().trim().min(1).max(200),
  method: z.enum(collectionMethods),
  description: z.string().max(2_000),
  marker_ids: z.array(z.int()).min(1).max(200).nullish().describe("Markers of one lab, instead of provider_ids"),
  provider_ids: z
    .array(z.string().min(1).max(40))
    .min(1)
    .max(200)
    .nullish()
    .describe("Test codes of the lab in lab_slug or lab_account_id, instead of marker_ids"),
  fasting: z.boolean().nullish().describe("Whether the patient must fast. Default: false"),
  lab_account_id: z.guid().toLowerCase().nullish().describe("Lab account that names the lab"),
  lab_slug: z.string().nullish(),
});
export type LabTestDraft = z.output<typeof labTestDraft>;

/** Markers of a lab test, in its order. A code that the lab no longer offers is left out. */
export function markersOf({ lab, provider_ids }: LabTest, catalogue: Catalogue): Marker[] {
  const labId = findLab(lab)?.id ?? 0;
  return provider_ids.flatMap((code) => catalogue.findByCode(labId, code) ?? []);
}

/** Total price of markers, in cents. */
export const totalPriceCents = (markers: readonly Marker[]): number =>
  markers.reduce((total, { price_cents }) => total + price_cents, 0);

/** Prices of lab tests by id, each with the prices of its markers. */
export function toLabTestPricing(tests: readonly LabTest[], catalogue: Catalogue): z.input<typeof labTestPricing> {
  const data = tests.map((test) => {
    const markers = markersOf(test, catalogue);
    return [
      test.lab_test_id,
      { pricing: toWireAmount(totalPriceCents(markers)), marker_breakdown: toMarkerPricing(markers).data },
    ] as const;
  });
  return { currency: "USD", data: Object.fromEntries(data) };
}

/** Converts a lab test to its wire format. */
export function toWireLabTest(test: LabTest, catalogue: Catalogue): z.input<typeof wireLabTest> {
  const lab = findLab(test.lab);
  const markers = markersOf(test, catalogue);
  const days = (pick: (marker: Marker) => number | null) => Math.max(...markers.map((marker) => pick(marker) ?? 0));
  return {
    id: test.lab_test_id,
    slug: slugOf(test.name),
    name: test.name,
    sample_type: lab ? sampleTypeOf(test.method, lab, markers) : "serum",
    method: test.method,
    price: totalPriceCents(markers) / 100,
    is_active: test.is_active,
    status: test.is_active ? "active" : "inactive",
    fasting: test.fasting,
    lab: lab ? toWireLab(lab) : null,
    markers: [...markers, ...catalogue.reflexMarkersOf(markers)].map(
      ({ wire: { expected_results: _, ...marker } }) => marker,
    ),
    is_delegated: false,
    auto_generated: test.auto_generated,
    has_collection_instructions: true,
    common_tat_days: markers.length === 0 ? null : days(({ wire }) => wire.common_tat_days),
    worst_case_tat_days: markers.length === 0 ? null : days(({ wire }) => wire.worst_case_tat_days),
  };
}

/**
 * Sample type of a lab test: the type that all markers share, else serum. A test kit falls back to the lab's first
 * sample type if the lab does not take the shared type.
 */
export function sampleTypeOf(method: string, lab: Lab, markers: readonly Marker[]): string {
  const [sample = "serum", ...others] = [...new Set(markers.map(({ test }) => test.sample))];
  const measured = others.length === 0 ? sample : "serum";
  if (method !== "testkit" || lab.sample_types.includes(measured)) return measured;
  return lab.sample_types[0] ?? measured;
}

const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
