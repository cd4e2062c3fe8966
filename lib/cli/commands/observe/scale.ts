import { declareCommand } from "../../frame/declaration.ts";
import { flag } from "../../frame/values.ts";

export const scale = declareCommand({
  name: "scale",
  summary: "Computes heat of keys, concurrency, quotas and cost at 10 thousand, 1 million and 100 million users",
  description: [
    "The counts of one sync, read and poll are in data/scale/access-counts.json. With --measure they are counted again,",
    "by the meter of the local cloud on the real functions.",
  ],
  options: {
    measure: flag("count the units, requests and messages of each action again"),
    write: flag("write the tables into docs/scale.md, and new counts into their file"),
  },
  examples: [
    ["scale", "prints the tables"],
    ["scale --measure --write", "after a change that costs other units"],
  ],
  run: async ({ measure, write }, session) => {
    const { reportScale } = await import("../../../../test/scale/report-scale.ts");
    session.print(await reportScale({ measure, write }));
    return {};
  },
});
