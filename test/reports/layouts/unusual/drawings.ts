import type { ContentRow, ReportContent } from "../../content/report-content.ts";
import type { DrawnPage } from "../../pages/drawn-page.ts";
import { ReportFlow } from "../../pages/report-flow.ts";

const BAR = { left: 330, width: 130, height: 5 };

/** The bar with the normal range in the middle, a mark at the result, and the bounds below the ends. */
function bar(flow: ReportFlow, { measured, cells }: ContentRow): void {
  const { min, max, number } = measured;
  const [low = "", high = ""] = (cells.range ?? "").split("\n");
  const { left, y } = flow.sheet;
  const top = y + 5;
  const third = BAR.width / 3;
  const from = min === null ? 0 : third;
  const to = max === null ? BAR.width : 2 * third;
  flow.page.fill(left + BAR.left, top, BAR.width, BAR.height, 225);
  flow.page.fill(left + BAR.left + from, top, to - from, BAR.height, 150);
  const share = number === null ? 0 : ((number - (min ?? 0)) / ((max ?? 2 * (min ?? 1)) - (min ?? 0))) * (to - from);
  const mark = Math.min(BAR.width, Math.max(0, from + share));
  flow.page.disc(left + BAR.left + mark, top + BAR.height / 2, 4, 40);
  const manner = { size: flow.size - 2, grey: 70, align: "center", down: flow.size * 0.7 + 6 } as const;
  if (low !== "") flow.writeAt(low, BAR.left + third, manner);
  if (high !== "") flow.writeAt(high, BAR.left + 2 * third, manner);
}

function barRow(flow: ReportFlow, row: ContentRow): void {
  const { cells, measured } = row;
  const height = flow.line * 2.3;
  flow.ensureRoom(height);
  flow.writeLines(flow.breakText(cells.test ?? "", 190, { isBold: true }), 6, { isBold: true });
  const end = flow.writeAt(cells.value ?? "", 205, { isBold: true, size: flow.size + 2 });
  flow.writeAt(cells.units ?? "", end + 4, { size: flow.size - 1, grey: 70 });
  if (measured.number !== null) bar(flow, row);
  else if (cells.range) flow.writeAt(`Expected: ${cells.range}`, BAR.left, { size: flow.size - 1, grey: 70 });
  flow.writeAt(cells.flag ?? "", flow.sheet.width - 4, { align: "right", isBold: true });
  flow.moveDown(height);
  flow.rule(0, flow.sheet.width, 0.4, 190);
  flow.moveDown(4);
}

/** Results beside a bar that shows their position, with the bounds below the bar. */
export function rangeBarForm(content: ReportContent): DrawnPage[] {
  const flow = new ReportFlow(content, () => undefined);
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 6);
    flow.writeAt(title, 0, { isBold: true, size: flow.size + 4, grey: 70 });
    flow.moveDown(flow.line * 2);
    for (const row of rows) barRow(flow, row);
    flow.moveDown(flow.line * 0.8);
  }
  return flow.finish();
}

/** Width in characters of each column of a typed table. */
const CELLS = [32, 15, 4, 14, 20] as const;

const signs = (edge: string, cells: readonly string[], fill: string) =>
  `${edge}${cells.map((text, place) => `${fill}${text.padEnd(CELLS[place] ?? 0, fill)}${fill}`).join(edge)}${edge}`;
const border = signs(
  "+",
  CELLS.map(() => ""),
  "-",
);
const inner = border.length - 4;

function wrapped(text: string, most: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (`${last} ${word}`.trim().length <= most) lines[lines.length - 1] = `${last} ${word}`.trim();
    else lines.push(word);
  }
  return lines;
}

/** A table drawn with typewriter characters, each line one text. */
export function typewriterForm(content: ReportContent): DrawnPage[] {
  const line = (flow: ReportFlow, text: string) => {
    flow.writeAt(text, 0);
    flow.moveDown(flow.line);
  };
  const flow = new ReportFlow(content, (page) => {
    line(page, border);
    line(page, signs("|", ["TEST", "RESULT", "FLG", "UNITS", "EXPECTED"], " "));
    line(page, border);
  });
  for (const { title, rows } of content.sections) {
    flow.ensureRoom(flow.line * 4);
    line(flow, `| ${`*** ${title} ***`.padEnd(inner)} |`);
    for (const { cells, notes, method } of rows) {
      const [name = "", ...more] = wrapped(cells.test ?? "", CELLS[0]);
      const under = [...(method === null ? [] : [method]), ...notes].flatMap((text) => wrapped(text, inner - 6));
      flow.ensureRoom((1 + more.length + under.length) * flow.line);
      const { value = "", flag = "", units = "", range = "" } = cells;
      line(flow, signs("|", [name, value, flag, units, range], " "));
      for (const text of more) line(flow, signs("|", [` ${text}`, "", "", "", ""], " "));
      for (const text of under) line(flow, `| ${`    ${text}`.padEnd(inner)} |`);
    }
    line(flow, border);
  }
  return flow.finish();
}
