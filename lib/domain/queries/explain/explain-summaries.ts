import * as z from "zod";
import { componentName } from "../../../contract/component-name.ts";
import type { ToFloatingTime } from "../../shared/local-day.ts";
import type { SummaryKind } from "../../summaries/summary-kind.ts";
import { rankReasons, sourceComparator } from "../evaluation/source-rank.ts";
import { formatFloating } from "../floating-time.ts";
import type { RowSet } from "../rows/row-set.ts";
import type { CellValue, RowSource, SourcePriorities, SummaryRow } from "../rows/rows.ts";
import { summaryRows } from "../rows/summary-rows.ts";
import { type ColumnType, type TableName, tableColumns } from "../tables/columns.ts";

const describedRow = {
  source: z.object({ provider: z.string(), type: z.string() }),
  interval: z.object({ from: z.string(), to: z.string() }).describe("Covered time, local"),
};

/** How a summary compares with summaries of other sources for the same time. */
const wireSummaryExplanation = z
  .object({
    ...describedRow,
    made_of: z
      .enum(["summary", "samples"])
      .describe("Origin of the values: provided by the source, or derived from samples"),
    standing: z.enum(["only", "best", "set_aside"]).describe("Whether queries use the summary"),
    rivals: z.array(
      z.object({
        id: z.string(),
        ...describedRow,
        values: z.record(z.string(), z.unknown()).describe("Values by column of the query language"),
        because: z.string(),
      }),
    ),
    in_words: z.string(),
  })
  .meta({ id: "SummaryExplanation" });
type SummaryExplanation = z.output<typeof wireSummaryExplanation>;

/** Wire schema of a summary with an optional explanation. */
export const explainableSummarySchema = (kind: SummaryKind) =>
  kind.wire
    .extend({ explanation: wireSummaryExplanation.optional() })
    .meta({ id: componentName(kind.name, "ExplainableSummary") });

/** Explains each summary by comparing it with all others in `rows`. */
export function explainSummaries(
  table: TableName,
  rows: readonly SummaryRow[],
  floatingOf: ToFloatingTime,
  priorities: SourcePriorities,
): SummaryExplanation[] {
  const set = summaryRows(table, rows, floatingOf);
  const compare = sourceComparator(priorities);
  return rows.map((row, place) => {
    const others = rows.flatMap((_, other) => (isCompeting(set, place, other) ? [other] : []));
    const rivals = others.map((other) => {
      const { source } = rows[other] as SummaryRow;
      const { order, rule } = compare(row.source, source);
      const [winner, loser] = order < 0 ? [row.source, source] : [source, row.source];
      const because = `${label(winner)} ranks above ${label(loser)}: ${rankReasons[rule]}`;
      return {
        id: String(rows[other]?.id),
        ...describeRow(set, other, source),
        values: numericColumnValues(table, set, other),
        because,
      };
    });
    const isBest = others.every((other) => compare(row.source, (rows[other] as SummaryRow).source).order < 0);
    const standing = others.length === 0 ? "only" : isBest ? "best" : "set_aside";
    const made_of = row.derived === true ? "samples" : "summary";
    const telling = { ...describeRow(set, place, row.source), made_of, standing, rivals } as const;
    return { ...telling, in_words: toSentences(telling) };
  });
}

/** Whether two summaries of different sources overlap in time. */
function isCompeting({ sourceOf, sources, begins, ends }: RowSet, one: number, other: number): boolean {
  const [a, b] = [sources[sourceOf[one] ?? 0], sources[sourceOf[other] ?? 0]];
  if (a?.provider === b?.provider && a?.type === b?.type) return false;
  return Number(begins[one]) < Number(ends[other]) && Number(begins[other]) < Number(ends[one]);
}

function describeRow({ begins, ends, floating, instants }: RowSet, row: number, { provider, type }: RowSource) {
  const shift = Number(floating[row]) - Number(instants[row]);
  const [from, to] = [begins, ends].map((times) => formatFloating(Number(times[row]) + shift));
  return { source: { provider, type }, interval: { from: from ?? "", to: to ?? "" } };
}

/** The numeric values of a summary, by column. */
function numericColumnValues(table: TableName, set: RowSet, row: number): Record<string, CellValue> {
  const columns = Object.entries<ColumnType>(tableColumns[table]).filter(([, type]) => type === "number");
  const values = columns.map(([name]): [string, CellValue] => [name, set.cell(name)(row)]);
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}

const label = ({ provider, type }: Pick<RowSource, "provider" | "type">) => `${provider} (${type})`;

function toSentences({ source, made_of, standing, rivals }: Omit<SummaryExplanation, "in_words">): string {
  const origin = made_of === "samples" ? "Derived from samples of" : "Provided by";
  if (standing === "only") return `${origin} ${label(source)}. No other source covers this time.`;
  const count = standing === "best" ? "Queries use it" : "Queries set it aside";
  return `${origin} ${label(source)}. ${count}: ${rivals.map(({ because }) => because).join("; ")}.`;
}
