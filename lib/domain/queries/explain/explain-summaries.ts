import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { componentName } from "../../../contract/component-name.ts";
import type { ToFloatingTime } from "../../shared/local-day.ts";
import { DERIVED_FROM, type DerivedFrom, recorderShare } from "../../summaries/derived-from.ts";
import type { SummaryKind } from "../../summaries/summary-kind.ts";
import { rankReasons, recorderComparator } from "../evaluation/source-rank.ts";
import { formatFloating } from "../floating-time.ts";
import type { RowSet } from "../rows/row-set.ts";
import type { CellValue, RowSource, SourcePriorities, SummaryRow } from "../rows/rows.ts";
import { summaryRows } from "../rows/summary-rows.ts";
import { type ColumnType, type TableName, tableColumns } from "../tables/columns.ts";
import { type ExplainedSource, explainedSource, sourceLabel as label, toExplainedSource } from "./explanation.ts";

const describedRow = {
  source: explainedSource,
  interval: z.object({ from: z.string(), to: z.string() }).describe("Covered time, local"),
};

/** How a summary compares with summaries of other sources for the same time. */
const wireSummaryExplanation = z
  .object({
    ...describedRow,
    made_of: z
      .enum(["summary", "samples"])
      .describe("Origin of the values: provided by the source, or derived from samples"),
    recorders: z
      .record(z.string(), z.array(recorderShare))
      .optional()
      .describe("Of a derived summary: the devices and apps by resource, with their shares of its samples"),
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

/** A summary in its wire form, and where it is derived, the shares of devices and apps in it. */
export type ExplainedRow = SummaryRow & { readonly [DERIVED_FROM]?: DerivedFrom };

/** Explains each summary by comparing it with all others in `rows`. */
export function explainSummaries(
  table: TableName,
  rows: readonly ExplainedRow[],
  floatingOf: ToFloatingTime,
  priorities: SourcePriorities,
): SummaryExplanation[] {
  const set = summaryRows(table, rows, floatingOf);
  const compare = recorderComparator(priorities);
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
    const recorders = made_of === "samples" ? { recorders: row[DERIVED_FROM] ?? {} } : {};
    const explanation = { ...describeRow(set, place, row.source), made_of, ...recorders, standing, rivals } as const;
    return { ...explanation, in_words: toSentences(explanation) };
  });
}

/** Whether two summaries of different sources, or of different devices or apps of one, overlap in time. */
function isCompeting({ sourceOf, sources, begins, ends }: RowSet, one: number, other: number): boolean {
  const [a, b] = [sources[sourceOf[one] ?? 0], sources[sourceOf[other] ?? 0]];
  if (!a || !b || isDeepStrictEqual(toExplainedSource(a), toExplainedSource(b))) return false;
  return Number(begins[one]) < Number(ends[other]) && Number(begins[other]) < Number(ends[one]);
}

function describeRow({ begins, ends, floating, instants }: RowSet, row: number, source: RowSource) {
  const shift = Number(floating[row]) - Number(instants[row]);
  const [from, to] = [begins, ends].map((times) => formatFloating(Number(times[row]) + shift));
  return { source: toExplainedSource(source), interval: { from: from ?? "", to: to ?? "" } };
}

/** The numeric values of a summary, by column. */
function numericColumnValues(table: TableName, set: RowSet, row: number): Record<string, CellValue> {
  const columns = Object.entries<ColumnType>(tableColumns[table]).filter(([, type]) => type === "number");
  const values = columns.map(([name]): [string, CellValue] => [name, set.cell(name)(row)]);
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}

/** Names the shares where several devices or apps recorded a resource. */
function sharesInWords(recorders: DerivedFrom = {}): string[] {
  const several = Object.entries(recorders).filter(([, shares]) => shares.length > 1);
  const parts = several.map(([resource, shares]) => {
    const list = shares.map(({ share, ...recorder }) => `${Math.round(100 * share)} % ${recorderLabel(recorder)}`);
    return `${resource}: ${list.join(", ")}`;
  });
  return parts.length === 0 ? [] : [`Each interval counts once. Shares of ${parts.join("; ")}.`];
}

const recorderLabel = ({ device_id, app_id }: Pick<ExplainedSource, "device_id" | "app_id">) =>
  [device_id && `device ${device_id}`, app_id && `app ${app_id}`].filter(Boolean).join(", ") || "no named device";

function toSentences({ source, made_of, recorders, ...rest }: Omit<SummaryExplanation, "in_words">): string {
  const { standing, rivals } = rest;
  const origin = `${made_of === "samples" ? "Derived from samples of" : "Provided by"} ${label(source)}.`;
  const description = [origin, ...sharesInWords(recorders)].join(" ");
  if (standing === "only") return `${description} No other source covers this time.`;
  const count = standing === "best" ? "Queries use it" : "Queries set it aside";
  return `${description} ${count}: ${rivals.map(({ because }) => because).join("; ")}.`;
}
