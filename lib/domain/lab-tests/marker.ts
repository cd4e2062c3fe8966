import type * as z from "zod";
import { fnv1a } from "./fnv.ts";
import type { Lab } from "./labs.ts";
import { loincNumber } from "./loinc-code.ts";
import type { PackedCatalogue, PackedOffer, PackedResult, PackedTest } from "./packed-catalogue.ts";
import type { expectedResult, wireMarkerWithResults } from "./wire-markers.ts";

/** A biomarker or panel that one lab offers. */
export interface Marker {
  /** The marker as answers show it. */
  readonly wire: z.input<typeof wireMarkerWithResults> & { readonly lab_id: number; readonly provider_id: string };
  readonly lab: Lab;
  readonly test: PackedTest;
  readonly price_cents: number;
}

/** Marker ids of a lab begin here; a numeric test code is added. */
const LAB_IDS = 1_000_000;
/** Ids of test codes that are no numbers of up to six digits are above those of all labs, and below 2^31. */
const HASHED_IDS = 100_000_000;
const MOST_HASHED = 2_000_000_000n;

/** The id of a marker follows from the lab and its test code, so that it is the same whatever else the catalogue has. */
export function markerId(lab: Lab, providerId: string): number {
  if (/^[1-9]\d{0,5}$/.test(providerId)) return lab.id * LAB_IDS + Number(providerId);
  return HASHED_IDS + Number(fnv1a(`${lab.slug} ${providerId}`) % MOST_HASHED);
}

/** Unfolds an offer of the packed catalogue. */
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

/** Numbers of LOINC codes have up to eight digits, so ids of results are told apart by lab within 2^31. */
const RESULT_IDS = 100_000_000;

function toExpectedResult(lab: Lab, provider_id: string, result: PackedResult): z.input<typeof expectedResult> {
  const { loinc: code, name, slug, unit, loinc_name } = result;
  const id = loincNumber(code);
  const loinc = { id, name: loinc_name, slug, code, unit };
  return { id: lab.id * RESULT_IDS + id, name, slug, lab_id: lab.id, provider_id, required: true, loinc };
}
