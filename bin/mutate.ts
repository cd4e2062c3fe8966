import { mkdirSync } from "node:fs";
import { Stryker } from "@stryker-mutator/core";
import { GROUP_VARIABLE, mutationGroups } from "../test/mutation/groups.ts";

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

/** Runs the mutants of a group. @returns the group's table row. */
async function mutate(group: Group): Promise<string> {
  // Stryker's own selection of test files never activates mutants in module-level code.
  process.env[GROUP_VARIABLE] = group.name;
  const results = await new Stryker(createOptions(group)).runMutationTest();
  const count = (...states: string[]) => results.filter(({ status }) => states.includes(status)).length;
  const [killed, survived] = [count("Killed", "Timeout"), count("Survived", "NoCoverage")];
  const score = ((100 * killed) / (killed + survived)).toFixed(1);
  return `| ${group.name} | ${killed + survived} | ${killed} | ${survived} | ${score} % |`;
}

const requestedGroups = process.argv.slice(2);
const unknown = requestedGroups.filter((name) => !mutationGroups.some((group) => group.name === name));
if (unknown.length > 0) throw new Error(`unknown group: ${unknown.join(", ")}`);
mkdirSync(RESULTS, { recursive: true });
const rows: string[] = [];
for (const group of mutationGroups)
  if (requestedGroups.length === 0 || requestedGroups.includes(group.name)) rows.push(await mutate(group));
console.log(["| Group | Mutants | Killed | Survived | Score |", "|---|---|---|---|---|", ...rows].join("\n"));
