import type { ReportContent } from "../content/report-content.ts";
import type { Column, Field, Layout } from "../layouts/layout.ts";
import { type Font, textWidth } from "./fonts.ts";

/** A placed column, in points from the left edge of its region. */
export interface PlacedColumn extends Column {
  readonly left: number;
  readonly width: number;
  /** Position of decimal points from the column's left edge; 0 without decimal alignment. */
  readonly point: number;
}

/** Gap between columns. */
export const COLUMN_GAP_PT = 7;
const TEST_SHARE = 0.24;

const integerPart = (text: string) => text.split(/[. ]/)[0] ?? "";

/** The text of a cell. In reports with results below the names, the range cell includes its label. */
export function cellText(field: Field, text: string, layout: Layout): string {
  return layout.isTwoLine && field === "range" && /\d/.test(text) ? `Normal range: ${text}` : text;
}

function naturalSize(column: Column, content: ReportContent, font: Font): { width: number; point: number } {
  const { layout } = content;
  const texts = content.sections.flatMap(({ rows }) =>
    rows.map(({ cells }) => cellText(column.field, cells[column.field] ?? "", layout)),
  );
  const widest = (all: readonly string[]) => Math.max(0, ...all.map((text) => textWidth(text, font, layout.size)));
  if (column.align !== "decimal") return { width: widest([...texts, column.title]), point: 0 };
  const point = widest(texts.map(integerPart));
  return {
    width: Math.max(point + widest(texts.map((text) => text.slice(integerPart(text).length))), widest([column.title])),
    point,
  };
}

/** Places columns so that every cell fits, except names, which wrap. @param width of the region. */
export function placeColumns(content: ReportContent, width: number): PlacedColumn[] {
  const { layout } = content;
  const font: Font = { family: layout.font, isBold: true };
  const needs = layout.columns.map((column) => ({ column, ...naturalSize(column, content, font) }));
  const shares = layout.columns.reduce((sum, { share }) => sum + share, 0);
  const others = needs.filter(({ column }) => column.field !== "test");
  const needed = others.reduce((sum, need) => sum + need.width + COLUMN_GAP_PT, 0);
  const wished = others.reduce(
    (sum, { column, width: need }) => sum + Math.max((column.share / shares) * width, need + COLUMN_GAP_PT),
    0,
  );
  const leastTest = width * TEST_SHARE;
  const spare = Math.max(0, width - leastTest - needed);
  const part = wished > needed ? Math.min(1, spare / (wished - needed)) : 0;
  let left = 0;
  const widthOf = ({ column, width: need }: (typeof needs)[number]) =>
    need +
    COLUMN_GAP_PT +
    part * (Math.max((column.share / shares) * width, need + COLUMN_GAP_PT) - need - COLUMN_GAP_PT);
  const rest = width - others.reduce((sum, need) => sum + widthOf(need), 0);
  return needs.map((need) => {
    const own = need.column.field === "test" ? rest : widthOf(need);
    const placed = { ...need.column, left, width: own, point: need.point };
    left += own;
    return placed;
  });
}

/** Places the columns of the line below the name: all except the name, over the full width. */
export function placeColumnsUnderName(content: ReportContent, width: number): PlacedColumn[] {
  const { layout } = content;
  const rest = { ...content, layout: { ...layout, columns: layout.columns.filter(({ field }) => field !== "test") } };
  const columns = placeColumns(rest, width - layout.indent);
  return columns.map((column) => ({ ...column, left: column.left + layout.indent }));
}

/** Start of a text in its column. */
export function textStart(text: string, column: PlacedColumn, font: Font, size: number): number {
  const wide = textWidth(text, font, size);
  const free = column.width - COLUMN_GAP_PT - wide;
  if (column.align === "right") return column.left + free;
  if (column.align === "center") return column.left + free / 2;
  if (column.align === "decimal") return column.left + column.point - textWidth(integerPart(text), font, size);
  return column.left;
}
