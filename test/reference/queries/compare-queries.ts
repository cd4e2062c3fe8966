import { isDeepStrictEqual } from "node:util";
import { evaluateQuery } from "../../../lib/domain/queries/evaluation/evaluate-query.ts";
import { arbitraryQueryCase, type QueryCase } from "./arbitrary-query.ts";
import { checkProperty, type PropertyResult } from "./check-property.ts";
import { referenceAnswer } from "./reference-answer.ts";

/** Maximum relative difference of two numbers, because sums and roots can run in another order. */
const RELATIVE_TOLERANCE = 1e-9;

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== "number" || typeof b !== "number") return isDeepStrictEqual(a, b);
  return a === b || Math.abs(a - b) <= RELATIVE_TOLERANCE * Math.max(1, Math.abs(a), Math.abs(b));
}

/** Finds the first difference between two tables. @returns a description, undefined if they are equal. */
function findDifference(
  answer: Readonly<Record<string, readonly unknown[]>>,
  wanted: typeof answer,
): string | undefined {
  const names = [Object.keys(answer), Object.keys(wanted)].map((list) => list.join(", "));
  if (names[0] !== names[1]) return `columns ${names[0]} instead of ${names[1]}`;
  for (const [name, values] of Object.entries(wanted)) {
    const given = answer[name] ?? [];
    if (given.length !== values.length) return `${given.length} rows instead of ${values.length}`;
    const row = values.findIndex((value, index) => !isSame(given[index], value));
    if (row >= 0) return `${name}[${row}] is ${JSON.stringify(given[row])} instead of ${JSON.stringify(values[row])}`;
  }
  return undefined;
}

/** Compares the engine with the reference. @throws Error if they return different results. */
function checkAgreement({ query, data }: QueryCase): void {
  const [answer, wanted] = [evaluateQuery(query, data), referenceAnswer(query, data)];
  const difference = findDifference(answer, wanted);
  if (difference !== undefined)
    throw new Error(`${difference}\nanswered ${JSON.stringify(answer)}\nreference ${JSON.stringify(wanted)}`);
}

/** Runs `runs` random queries against both. */
export const compareQueries = (runs: number, seed: number): PropertyResult =>
  checkProperty(arbitraryQueryCase, checkAgreement, runs, seed);
