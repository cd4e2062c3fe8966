import type * as z from "zod";
import { fnv1a } from "./fnv.ts";
import type { Lab } from "./labs.ts";
import { loincNumber } from "./loinc-code.ts";
import type { PackedCatalogue, PackedOffer, PackedResult, PackedTest } from "./packed-catalogue.ts";
import type { expectedResult, wireMarkerWithResults } from "./wire-markers.ts";

/** Biomarker or panel offered by one lab. */
export interface Marker {
  /** Marker in its wire format. */
  readonly wire: z.input<typeof wireMarkerWithResults> & { readonly lab_id: number; readonly provider_id: string };
  readonly lab: Lab;
  readonly test: PackedTest;
  readonly price_cents: number;
}

/** Size of the id range of each lab: a marker id is the lab's id times this range, plus the numeric test code. */
const LAB_ID_RANGE = 1_000_000;
/** First id for test codes that are not numbers of up to six digits: above the ranges of all labs, below 2^31. */
const FIRST_HASHED_ID = 100_000_000;
const HASHED_ID_COUNT = 2_000_000_000n;

/**
 * Derives the id of a marker from its lab and test code, so that the id does not depend on the rest of the catalogue.
 */
function markerId(lab: Lab, providerId: string): number {
  if (/^[1-9]\d{0,5}$/.test(providerId)) return lab.id * LAB_ID_RANGE + Number(providerId);
  return FIRST_HASHED_ID + Number(fnv1a(`${lab.slug} ${providerId}`) % HASHED_ID_COUNT);
}

/** Expands an offer of the packed catalogue. @throws Error for an index outside the catalogue. */
export function toMarker(packed: PackedCatalogue, lab: Lab, offer: PackedOffer): Marker {
  const { provider_id, price_cents, a_la_carte, common_tat_days, worst_case_tat_days } = offer;
  const test = packed.tests[offer.test];
  if (!test) throw new Error(`the catalogue has no test ${offer.test}`);
  const questions = (packed.questions[test.questions] ?? []).map((question) => ({
    ...question,
    answers: [...question.answers],
  }));
  const results = test.results.map((place) => resultAt(packed, place));
  const wire = {
    id: markerId(lab, provider_id),
    name: test.name,
    slug: test.slug,
    description: test.description,
    lab_id: lab.id,
    provider_id,
    type: test.is_panel ? "panel" : "biomarker",
    unit: test.is_panel ? null : (results[0]?.unit ?? null),
    price: (price_cents / 100).toFixed(2),
    aoe: questions.length === 0 ? null : { questions },
    a_la_carte_enabled: a_la_carte,
    common_tat_days,
    worst_case_tat_days,
    is_orderable: true,
    expected_results: results.map((result) => toExpectedResult(lab, provider_id, result)),
  };
  return { wire, lab, test, price_cents };
}

function resultAt(packed: PackedCatalogue, place: number): PackedResult {
  const result = packed.results[place];
  if (!result) throw new Error(`the catalogue has no result ${place}`);
  return result;
}

/** Size of the id range of each lab's results. LOINC numbers have up to eight digits, so all ids stay below 2^31. */
const RESULT_ID_RANGE = 100_000_000;

function toExpectedResult(lab: Lab, provider_id: string, result: PackedResult): z.input<typeof expectedResult> {
  const { loinc: code, name, slug, unit, loinc_name } = result;
  const id = loincNumber(code);
  const loinc = { id, name: loinc_name, slug, code, unit };
  return { id: lab.id * RESULT_ID_RANGE + id, name, slug, lab_id: lab.id, provider_id, required: true, loinc };
}
