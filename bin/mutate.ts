import { mkdirSync } from "node:fs";
import { Stryker } from "@stryker-mutator/core";
import { GROUP_VARIABLE, mutationGroups } from "../test/mutation/groups.ts";

/** Where the results of earlier runs lie: only what changed since is tried again. */
const RESULTS = ".local/mutation";

type Group = (typeof mutationGroups)[number];

const optionsOf = ({ name, files }: Group) => ({
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
  // Stryker would rewrite tsconfig.json by way of an interface that TypeScript 7 has not, and nothing here reads it.
  tsconfigFile: "none",
  ignorePatterns: [".local", "cdk.out", "dist", "docs"],
  reporters: ["clear-text"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
  allowConsoleColors: false,
  symlinkNodeModules: true,
});

/** Tries the mutants of a group. @returns its row of the table. */
async function mutate(group: Group): Promise<string> {
  // Not by Stryker's own choice of test files: with it, mutants in what runs when a module is loaded are never active.
  process.env[GROUP_VARIABLE] = group.name;
  const results = await new Stryker(optionsOf(group)).runMutationTest();
  const count = (...states: string[]) => results.filter(({ status }) => states.includes(status)).length;
  const [killed, survived] = [count("Killed", "Timeout"), count("Survived", "NoCoverage")];
  const score = ((100 * killed) / (killed + survived)).toFixed(1);
  return `| ${group.name} | ${killed + survived} | ${killed} | ${survived} | ${score} % |`;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !mutationGroups.some((group) => group.name === name));
if (unknown.length > 0) throw new Error(`no group ${unknown.join(", ")}`);
mkdirSync(RESULTS, { recursive: true });
const rows: string[] = [];
for (const group of mutationGroups)
  if (asked.length === 0 || asked.includes(group.name)) rows.push(await mutate(group));
console.log(["| Group | Mutants | Killed | Survived | Score |", "|---|---|---|---|---|", ...rows].join("\n"));
