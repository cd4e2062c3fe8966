import * as z from "zod";
import type { Catalogue } from "./catalogue.ts";
import { type LabTest, markersOf } from "./lab-test.ts";
import { findLab } from "./labs.ts";
import type { Marker } from "./marker.ts";
import type { RequestProblem } from "./select-markers.ts";

/** Order set: lab tests that are ordered together, and additional markers. */
export const orderSet = z
  .object({
    lab_test_ids: z.array(z.guid().toLowerCase()).max(50).nullish(),
    add_on: z
      .object({
        marker_ids: z.array(z.int()).max(200).nullish(),
        provider_ids: z
          .array(z.string().min(1).max(40))
          .max(200)
          .nullish()
          .describe("Test codes of the account's lab, or else of the labs of the lab tests"),
      })
      .nullish()
      .describe("Markers besides those of the lab tests"),
    lab_account_id: z.guid().toLowerCase().nullish(),
  })
  .meta({ id: "OrderSet" });
export type OrderSet = z.output<typeof orderSet>;

/**
 * Resolves the distinct markers of an order set, or returns a problem for each unknown marker. A lab account limits the
 * set to its lab. Test codes of add-ons belong to that lab, or else to the labs of the tests.
 * @param accountLab lab of the account; undefined without an account, null if the account makes no lab available.
 */
export function orderSetMarkers(
  { add_on }: OrderSet,
  tests: readonly LabTest[],
  catalogue: Catalogue,
  accountLab: string | null | undefined,
): Marker[] | RequestProblem[] {
  const isAvailable = ({ lab }: { lab: { slug: string } }) => accountLab === undefined || lab.slug === accountLab;
  const ofTests = tests.flatMap((test) => markersOf(test, catalogue)).filter(isAvailable);
  const slugs = accountLab === undefined ? tests.map(({ lab }) => lab) : [accountLab ?? ""];
  const labIds = [...new Set(slugs)].flatMap((slug) => findLab(slug)?.id ?? []);
  const ids = (add_on?.marker_ids ?? []).map((id) => catalogue.findById(id));
  const codes = (add_on?.provider_ids ?? []).map((code) => withCode(code, labIds, catalogue, accountLab !== undefined));
  const added = [...ids.map((marker) => (marker && isAvailable(marker) ? marker : undefined)), ...codes];
  const problems = added.flatMap((marker, index): RequestProblem[] => {
    if (marker) return [];
    const [list, place] = index < ids.length ? ["marker_ids", index] : ["provider_ids", index - ids.length];
    return [
      {
        loc: ["body", "add_on", list as string, place as number],
        msg: "The marker is unknown or not available to order",
      },
    ];
  });
  if (problems.length > 0) return problems;
  return [...new Set([...ofTests, ...added.filter((marker) => marker !== undefined)])];
}

/** Finds the marker with a test code at one of these labs, or at the first lab with that code if no lab is known. */
function withCode(
  code: string,
  labIds: readonly number[],
  catalogue: Catalogue,
  isLimited: boolean,
): Marker | undefined {
  if (labIds.length === 0 && !isLimited) return catalogue.markers.find(({ wire }) => wire.provider_id === code);
  return labIds.map((id) => catalogue.findByCode(id, code)).find((marker) => marker !== undefined);
}
