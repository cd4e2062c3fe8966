import * as z from "zod";
import { queryInteger } from "../../contract/shared-schemas.ts";
import { compareText } from "../shared/compare-text.ts";
import type { Catalogue } from "./catalogue.ts";
import { type LabTest, markersOf, totalPriceCents } from "./lab-test.ts";
import { knownLab } from "./labs.ts";
import { collectionMethods } from "./wire-lab-test.ts";

/** Filter and order of a lab test list. */
export const labTestFilter = z.object({
  lab_account_id: z.guid().toLowerCase().nullish().describe("Lab account to whose lab the response is limited"),
  generation_method: z
    .enum(["auto", "manual", "all"])
    .default("all")
    .describe("auto: lab tests that an order set generated; manual: all others"),
  lab_slug: knownLab.nullish(),
  collection_method: z.enum(collectionMethods).nullish(),
  status: z.enum(["active", "pending_approval", "inactive"]).nullish(),
  marker_ids: z.array(queryInteger(1, 2_147_483_647)).nullish().describe("The lab test must have all of these"),
  provider_ids: z.array(z.string().max(40)).nullish().describe("Test codes, all of which the lab test must have"),
  name: z.string().max(200).nullish().describe("Part of the name, in any case"),
  order_key: z.enum(["price", "created_at", "updated_at"]).default("created_at"),
  order_direction: z.enum(["asc", "desc"]).default("asc"),
});
export type LabTestFilter = z.output<typeof labTestFilter>;

/** Position of a lab test in a sorted list: sort key and id. */
export type LabTestPosition = readonly [string | number, string];

/**
 * Filters and sorts lab tests. Equal sort keys are ordered by id.
 * @param labs slugs of the available labs; undefined for all.
 */
export function selectLabTests(
  tests: readonly LabTest[],
  filter: LabTestFilter,
  catalogue: Catalogue,
  labs: readonly string[] | undefined,
): LabTest[] {
  const found = tests.filter(
    (test) => (labs === undefined || labs.includes(test.lab)) && matchesFilter(test, filter, catalogue),
  );
  const direction = filter.order_direction === "asc" ? 1 : -1;
  return found
    .map((test) => ({ test, at: labTestPosition(test, filter, catalogue) }))
    .sort((one, other) => direction * comparePositions(one.at, other.at))
    .map(({ test }) => test);
}

/** Position of a lab test in the list's order. */
export function labTestPosition(test: LabTest, { order_key }: LabTestFilter, catalogue: Catalogue): LabTestPosition {
  const by = order_key === "price" ? totalPriceCents(markersOf(test, catalogue)) : test[order_key];
  return [by, test.lab_test_id];
}

/** Compares two positions, ascending: negative if the first comes before the second. */
export function comparePositions([by, id]: LabTestPosition, [otherBy, otherId]: LabTestPosition): number {
  if (by !== otherBy) return by < otherBy ? -1 : 1;
  return compareText(id, otherId);
}

function matchesFilter(test: LabTest, filter: LabTestFilter, catalogue: Catalogue): boolean {
  const { generation_method, lab_slug, collection_method, status, marker_ids, provider_ids, name } = filter;
  const isGenerated = generation_method === "all" || test.auto_generated === (generation_method === "auto");
  const isNamed = !name || test.name.toLowerCase().includes(name.trim().toLowerCase());
  const isOfLab = !lab_slug || test.lab === lab_slug;
  const isTaken = !collection_method || test.method === collection_method;
  const isInState = !status || status === (test.is_active ? "active" : "inactive");
  const hasCodes = (provider_ids ?? []).every((code) => test.provider_ids.includes(code));
  if (!(isGenerated && isNamed && isOfLab && isTaken && isInState && hasCodes)) return false;
  const ids = new Set(markersOf(test, catalogue).map(({ wire }) => wire.id));
  return (marker_ids ?? []).every((id) => ids.has(id));
}
