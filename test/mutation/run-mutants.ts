import { mkdirSync } from "node:fs";
import { Stryker } from "@stryker-mutator/core";
import { GROUP_VARIABLE, mutationGroups } from "./groups.ts";

/** Directory of earlier results. Only mutants of changed code run again. */
const RESULTS = ".local/mutation";

type Group = (typeof mutationGroups)[number];

const createOptions = ({ name, files }: Group) => ({
  mutate: [...files],
  testRunner: "vitest" as const,
  vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
  plugins: ["@stryker-mutator/vitest-runner"],
  coverageAnalysis: "perTest" as const,
  concurrency: 1,
  timeoutMS: 30_000,
  incremental: true,
  incrementalFile: `${RESULTS}/${name}.json`,
  tempDirName: `${RESULTS}/sandbox`,
  // Stryker would rewrite tsconfig.json through an API that TypeScript 7 lacks; the tests do not read the file.
  tsconfigFile: "none",
  ignorePatterns: [".local", "cdk.out", "dist", "docs"],
  reporters: ["clear-text"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
  allowConsoleColors: false,
  symlinkNodeModules: true,
});

/** The mutants of a group that the tests detected, or not. */
export interface MutationScore {
  readonly group: string;
  readonly killed: number;
  readonly survived: number;
}

async function mutate(group: Group): Promise<MutationScore> {
  // Stryker's own selection of test files never activates mutants in module-level code.
  process.env[GROUP_VARIABLE] = group.name;
  const results = await new Stryker(createOptions(group)).runMutationTest();
  const count = (...states: string[]) => results.filter(({ status }) => states.includes(status)).length;
  return { group: group.name, killed: count("Killed", "Timeout"), survived: count("Survived", "NoCoverage") };
}

/** Runs the mutants of the named groups; of all groups without a name. */
export async function runMutants(names: readonly string[]): Promise<MutationScore[]> {
  mkdirSync(RESULTS, { recursive: true });
  const scores: MutationScore[] = [];
  for (const group of mutationGroups)
    if (names.length === 0 || names.includes(group.name)) scores.push(await mutate(group));
  return scores;
}

/** Formats scores as lines of a Markdown table. */
export function formatScores(scores: readonly MutationScore[]): string {
  const rows = scores.map(({ group, killed, survived }) => {
    const score = ((100 * killed) / (killed + survived)).toFixed(1);
    return `| ${group} | ${killed + survived} | ${killed} | ${survived} | ${score} % |`;
  });
  return ["| Group | Mutants | Killed | Survived | Score |", "|---|---|---|---|---|", ...rows].join("\n");
}
