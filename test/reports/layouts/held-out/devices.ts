import type { ContentRow, ReportContent } from "../../content/report-content.ts";
import type { DrawnPage } from "../../pages/drawn-page.ts";
import { ReportFlow } from "../../pages/report-flow.ts";

const SEGMENT = 7;

/** Three segments for low, normal and high, with a star at the result. */
function gauge({ measured: { min, max, number } }: ContentRow): string {
  if (number === null || (min === null && max === null)) return "";
  const low = min ?? 0;
  const high = max ?? low * 2;
  const within = Math.min(SEGMENT - 1, Math.floor(((number - low) / (high - low)) * SEGMENT));
  const isLow = min !== null && number < min;
  const isHigh = max !== null && number > max;
  const middle = Math.floor(SEGMENT / 2);
  const at = isLow ? middle : isHigh ? 2 * SEGMENT + middle : SEGMENT + within;
  const marks = Array.from({ length: 3 * SEGMENT }, (_, place) => (place === at ? "*" : "-"));
  const segment = (place: number) => marks.slice(place * SEGMENT, (place + 1) * SEGMENT).join("");
  return `[${segment(0)}|${segment(1)}|${segment(2)}]`;
}

/** The slip of a bedside analyser: a gauge of typed characters shows low and high results. */
export function gaugeForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, () => undefined);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * (rows.length + 5));
    flow.writeAt(`${title}   Run: ${flow.detail("collected")}`, 0, { isBold: true });
    flow.moveDown(flow.line * 1.3);
    flow.writeAt("Test", 0);
    flow.writeAt("Result", 160, { align: "right" });
    flow.writeAt("Ref. interval", 250);
    flow.writeAt(" LOW     NORMAL    HIGH", 360);
    flow.moveDown(flow.line);
    for (const row of rows) {
      const { cells } = row;
      flow.writeAt(cells.test ?? "", 0);
      flow.writeAt(cells.value ?? "", 160, { align: "right" });
      flow.writeAt(cells.units ?? "", 166);
      flow.writeAt(cells.range ?? "", 250);
      flow.writeAt(gauge(row), 360);
      flow.moveDown(flow.line);
    }
    flow.writeAt("Controls passed. Sample quality good.", 0);
    flow.moveDown(flow.line * 1.8);
  }
  return flow.finish();
}

const ACROSS = 3;
const TILE = { gap: 10, pad: 8 };

function tile(flow: ReportFlow, { cells, isAbnormal }: ContentRow, left: number, wide: number): void {
  const x = left + TILE.pad;
  const names = flow.breakText(cells.test ?? "", wide - 2 * TILE.pad, { isBold: true });
  flow.frame(left, wide, flow.line * 5.6, 150);
  flow.writeLines(names, x, { isBold: true, down: 3 });
  const value = { size: flow.size + 5, isBold: true, down: flow.line * 2.2 + 3 };
  const end = flow.writeAt(cells.value ?? "", x, value);
  flow.writeAt(cells.units ?? "", end + 4, { size: flow.size - 1, grey: 80, down: flow.line * 2.2 + 3 });
  flow.writeAt(cells.flag ?? "", x, { isBold: isAbnormal, down: flow.line * 3.3 + 3 });
  flow.writeAt(cells.range ?? "", x, { size: flow.size - 0.5, grey: 70, down: flow.line * 4.2 + 3 });
}

/** Every result is a tile, three side by side, with its range in words. */
export function tileForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, () => undefined);
  const wide = (flow.sheet.width - (ACROSS - 1) * TILE.gap) / ACROSS;
  const high = flow.line * 5.6 + TILE.gap;
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(high + flow.line * 2.5);
    flow.writeAt(title, 0, { isBold: true, size: flow.size + 4, grey: 60 });
    flow.moveDown(flow.line * 2.2);
    for (let place = 0; place < rows.length; place += ACROSS) {
      flow.ensureRoom(high);
      rows.slice(place, place + ACROSS).forEach((row, column) => {
        tile(flow, row, column * (wide + TILE.gap), wide);
      });
      flow.moveDown(high);
    }
    flow.moveDown(flow.line * 0.5);
  }
  return flow.finish();
}
