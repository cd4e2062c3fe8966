import * as z from "zod";
import { mutationGroups } from "../../../test/mutation/groups.ts";
import { declareCommand } from "../frame/declaration.ts";
import { remainingArguments } from "../frame/values.ts";

const group = z.enum(mutationGroups.map(({ name }) => name));

export const mutate = declareCommand({
  name: "mutate",
  summary: "Breaks the code at one place at a time and counts the breaks that tests detect",
  description: ["Runs only mutants of code that changed since the last run. A whole run takes several minutes."],
  args: { groups: remainingArguments("[group]", "groups of files; all by default", z.array(group).default([])) },
  examples: [
    ["mutate", "all groups"],
    ["mutate merge tenancy", "two groups"],
  ],
  json: "option",
  run: async ({ groups }, session) => {
    const { formatScores, runMutants } = await import("../../../test/mutation/run-mutants.ts");
    const scores = await runMutants(groups);
    session.print(formatScores(scores));
    return { data: { scores } };
  },
});
