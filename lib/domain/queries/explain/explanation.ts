import * as z from "zod";

const span = z.object({ from: z.string(), to: z.string() });

/** The contribution of one source to a group. */
const wireContribution = z.object({
  source: z.object({ provider: z.string(), type: z.string() }),
  rows: z.int().describe("Number of samples or summaries"),
  intervals: z.array(span).describe("Covered time, local; adjacent intervals are joined"),
  more_intervals: z.int().describe("Number of further intervals, which the list omits"),
  values: z.record(z.string(), z.unknown()).describe("Column values computed from these rows alone"),
});

/** How the values of one group were computed. */
export const wireExplanation = z
  .object({
    group: z.array(z.unknown()).describe("The group keys"),
    rule: z.enum(["none", "strict", "interval"]).describe("How sources were merged"),
    used: z.array(wireContribution),
    set_aside: z.array(wireContribution.extend({ because: z.string() })),
    in_words: z.string(),
  })
  .meta({ id: "Explanation" });
export type Explanation = z.output<typeof wireExplanation>;
export type Contribution = z.output<typeof wireContribution>;
