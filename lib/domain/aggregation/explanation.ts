import * as z from "zod";

const span = z.object({ from: z.string(), to: z.string() });

/** What one source had to say in a group. */
export const wireContribution = z.object({
  source: z.object({ provider: z.string(), type: z.string() }),
  rows: z.int().describe("How many samples or summaries"),
  intervals: z.array(span).describe("The time that they cover, local; touching ones joined"),
  more_intervals: z.int().describe("How many further ones are left out here"),
  values: z.record(z.string(), z.unknown()).describe("What the columns would be of these alone"),
});

/** How the values of one group came about. */
export const wireExplanation = z
  .object({
    group: z.array(z.unknown()).describe("The group keys"),
    rule: z.enum(["none", "strict", "interval"]).describe("How sources were brought together"),
    used: z.array(wireContribution),
    set_aside: z.array(wireContribution.extend({ because: z.string() })),
    in_words: z.string(),
  })
  .meta({ id: "Explanation" });
export type Explanation = z.output<typeof wireExplanation>;
export type Contribution = z.output<typeof wireContribution>;
