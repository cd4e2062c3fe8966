import { isDeepStrictEqual } from "node:util";
import { evaluate } from "../../../lib/domain/aggregation/evaluate.ts";
import { type Case, cases } from "./arbitrary-query.ts";
import { type Drilled, drill } from "./drilled.ts";
import { referenceAnswer } from "./evaluate.ts";

/** Maximum relative difference of two numbers, because sums and roots can run in another order. */
export const TOLERANCE = 1e-9;

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== "number" || typeof b !== "number") return isDeepStrictEqual(a, b);
  return a === b || Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(a), Math.abs(b));
}

/** Finds the first difference between two tables. @returns a description, undefined if they are equal. */
function differenceOf(answer: Readonly<Record<string, readonly unknown[]>>, wanted: typeof answer): string | undefined {
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
export function checkAgreement({ query, data }: Case): void {
  const [answer, wanted] = [evaluate(query, data), referenceAnswer(query, data)];
  const difference = differenceOf(answer, wanted);
  if (difference !== undefined)
    throw new Error(`${difference}\nanswered ${JSON.stringify(answer)}\nreference ${JSON.stringify(wanted)}`);
}

/** Runs `runs` random queries against both. */
export const compareQueries = (runs: number, seed: number): Drilled => drill(cases, checkAgreement, runs, seed);
