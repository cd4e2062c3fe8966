import { effectiveRange } from "../../domain/fhir/effective.ts";
import type { CodeableConcept, Effective } from "../../domain/fhir/resources.ts";
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
}

/** @throws ValidationFailed for a malformed value. */
export function parseObservationFilter(query: { code?: Given; category?: Given; date?: Given }): ObservationFilter {
  return {
    codes: parseTokenParameter("code", query.code),
    categories: parseTokenParameter("category", query.category),
    dates: parseDates("date", query.date),
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

/** Whether the time of an observation matches. */
export const matchesDates = ({ dates }: Pick<ObservationFilter, "dates">, effective: Effective): boolean =>
  dates.length === 0 || meetsDates(dates, effectiveRange(effective));
