import { effectiveRange } from "../../domain/fhir/effective.ts";
import type { CodeableConcept, Effective, FhirResource } from "../../domain/fhir/resources.ts";
import { type DateCondition, meetsDates, parseDateCondition } from "../../domain/fhir/search-date.ts";
import { matchesTokens, parseTokens, type Token } from "../../domain/fhir/search-token.ts";
import { ValidationFailed } from "../../runtime/errors.ts";

type Given = readonly string[] | undefined;

/** The parameters that select observations. */
export interface ObservationFilter {
  /** Alternatives of each occurrence of `code`; an observation matches all occurrences. */
  readonly codes: readonly (readonly Token[])[];
  readonly categories: readonly (readonly Token[])[];
  readonly dates: readonly DateCondition[];
  /** Conditions on the time at which the service received or changed the observation. */
  readonly updates: readonly DateCondition[];
}

/** @throws ValidationFailed for a malformed value. */
export function parseObservationFilter(query: {
  code?: Given;
  category?: Given;
  date?: Given;
  _lastUpdated?: Given;
}): ObservationFilter {
  return {
    codes: parseTokenParameter("code", query.code),
    categories: parseTokenParameter("category", query.category),
    dates: parseDates("date", query.date),
    updates: parseDates("_lastUpdated", query._lastUpdated),
  };
}

/** The alternatives of each occurrence of a token parameter. @throws ValidationFailed for a malformed value. */
export const parseTokenParameter = (name: string, given: Given): Token[][] =>
  parseEach(name, given, parseTokens, "Not codes, as `code` or `system|code`");

/** @throws ValidationFailed for a value that is no date with a supported prefix. */
export const parseDates = (name: string, given: Given): DateCondition[] =>
  parseEach(name, given, parseDateCondition, "Not a date with one of the prefixes eq, ge, gt, le, lt");

function parseEach<T>(name: string, given: Given, parse: (text: string) => T | undefined, reason: string): T[] {
  return (given ?? []).map((text) => {
    const parsed = parse(text);
    if (parsed === undefined) throw ValidationFailed.at(["query", name], reason);
    return parsed;
  });
}

const codingsOf = (concepts: readonly CodeableConcept[]) => concepts.flatMap(({ coding }) => coding ?? []);

/** Whether observations with this code and category can match. */
export const matchesCodes = (
  { codes, categories }: ObservationFilter,
  { code, category }: { readonly code: CodeableConcept; readonly category: readonly CodeableConcept[] },
): boolean =>
  codes.every((tokens) => matchesTokens(tokens, codingsOf([code]))) &&
  categories.every((tokens) => matchesTokens(tokens, codingsOf(category)));

/** Whether the times of an observation match. One without a known change matches no condition on it. */
export const matchesDates = (
  { dates, updates }: Pick<ObservationFilter, "dates" | "updates">,
  { meta, ...effective }: Effective & Pick<FhirResource, "meta">,
): boolean =>
  (dates.length === 0 || meetsDates(dates, effectiveRange(effective))) &&
  (updates.length === 0 || (meta?.lastUpdated !== undefined && isUpdated(updates, Date.parse(meta.lastUpdated))));

/** Whether an instant of a change meets all conditions. @param atMs epoch ms. */
export const isUpdated = (updates: readonly DateCondition[], atMs: number): boolean =>
  meetsDates(updates, { fromMs: atMs, toMs: atMs });
