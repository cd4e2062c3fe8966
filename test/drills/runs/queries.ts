import { compareQueries } from "../../reference/queries/compare-queries.ts";
import { fuzzWhere } from "../../reference/queries/fuzz-where.ts";

const CONDITIONS_PER_QUERY = 20;

/** Compares `runs` query results and fuzzes the parser of conditions. @returns the exit code: 1 when one is wrong. */
export function queries(runs: number, seed: number): number {
  const [answers, conditions] = [compareQueries(runs, seed), fuzzWhere(runs * CONDITIONS_PER_QUERY, seed)];
  for (const { problem } of [answers, conditions]) if (problem) process.stdout.write(`${problem}\n`);
  process.stdout.write(`Seed ${seed}: ${answers.runs} queries compared, ${conditions.runs} conditions parsed.\n`);
  return answers.problem || conditions.problem ? 1 : 0;
}
