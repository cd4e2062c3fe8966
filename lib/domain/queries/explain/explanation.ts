import * as z from "zod";
import type { RowSource } from "../rows/rows.ts";

const span = z.object({ from: z.string(), to: z.string() });

/** A source, with its device and app; both are null where the source names none. */
export const explainedSource = z.object({
  provider: z.string(),
  type: z.string(),
  device_id: z.string().nullable(),
  app_id: z.string().nullable(),
});
export type ExplainedSource = z.output<typeof explainedSource>;

export const toExplainedSource = ({ provider, type, device_id = null, app_id = null }: RowSource): ExplainedSource => ({
  provider,
  type,
  device_id,
  app_id,
});

/** Renders a source for people. */
export function sourceLabel({ provider, type, device_id, app_id }: RowSource): string {
  const recorder = [device_id && `device ${device_id}`, app_id && `app ${app_id}`].filter(Boolean);
  return `${provider} (${[type, ...recorder].join(", ")})`;
}

/** The contribution of one source, or of one device and app of it, to a group. */
const wireContribution = z.object({
  source: explainedSource,
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
