import { afterAll, describe, expect, test, vi } from "vitest";
import packed from "../../../data/lab-catalogue/catalogue.json" with { type: "json" };
import { linesOf } from "../../../lib/domain/lab-reports/page-lines.ts";
import { parseReport } from "../../../lib/domain/lab-reports/parse-report.ts";
import { withoutRaisedMarks } from "../../../lib/domain/lab-reports/raised-marks.ts";
import type { ReportWord } from "../../../lib/domain/lab-reports/report-page.ts";
import {
  checkRows,
  checkSize,
  MOST_LINE_WORDS,
  MOST_PAGE_LINES,
  MOST_PAGE_WORDS,
  MOST_REPORT_WORDS,
  MOST_ROWS,
  MOST_WORD_CHARACTERS,
} from "../../../lib/labs/reports/check-size.ts";
import { readPages, readWholeReport } from "../../../lib/labs/reports/read-pages.ts";
import { ReportReader } from "../../../lib/labs/reports/report-reader.ts";
import { pdf, writeRows } from "./drawn-page.ts";
import { shapes } from "./hostile-pages.ts";
import { catalogue, pageOf } from "./page-of.ts";

/** By how much work may grow where words become twice as many. */
const LINEAR = 2.2;

/** How often places of words are looked at while something is done with them. */
function looksAt(words: readonly ReportWord[], work: (words: readonly ReportWord[]) => unknown): number {
  let looks = 0;
  const counted = words.map(
    (word) =>
      new Proxy(word, {
        get(target, name) {
          looks++;
          return Reflect.get(target, name);
        },
      }),
  );
  work(counted);
  return looks;
}

describe.each(Object.entries(shapes))("%s", (_, shape) => {
  test("is put into lines in time that grows with its words", () => {
    const of = (count: number) => looksAt(shape(count).words, linesOf);
    // Sorting takes a little more than twice as long.
    expect(of(16_000) / of(8_000)).toBeLessThan(LINEAR + 0.2);
  });

  test("is searched for raised marks in time that grows with its words", () => {
    const of = (count: number) => looksAt(shape(count).words, withoutRaisedMarks);
    expect(of(16_000) / of(8_000)).toBeLessThan(LINEAR);
  });
});

test.each(Object.entries(shapes).filter(([name]) => !/line$|drift/.test(name)))(
  "%s: texts are read in time that grows with them",
  (_, shape) => {
    const spy = vi.spyOn(RegExp.prototype, "test");
    const of = (count: number) => {
      spy.mockClear();
      parseReport([shape(count)], catalogue);
      return spy.mock.calls.length;
    };
    expect(of(600) / of(300)).toBeLessThan(LINEAR + 0.3);
    spy.mockRestore();
  },
);

describe("a report that has more than any laboratory prints is refused", () => {
  const words = (count: number, text = "Sodium") => pageOf(Array(count).fill(text).join("\n"));
  const line = (count: number) => pageOf(Array(count).fill("Sodium").join(" "));
  test.each([
    [
      "words of a page",
      [pageOf(Array(101).fill(Array(60).fill("98").join(" ")).join("\n"))],
      `${MOST_PAGE_WORDS} words`,
    ],
    [
      "words",
      Array(7).fill(pageOf(Array(100).fill(Array(50).fill("98").join(" ")).join("\n"))),
      `${MOST_REPORT_WORDS} words`,
    ],
    ["lines", [words(MOST_PAGE_LINES + 1)], `${MOST_PAGE_LINES} lines`],
    ["words of a line", [line(MOST_LINE_WORDS + 1)], `${MOST_LINE_WORDS} words`],
    ["characters", [words(1, "9".repeat(MOST_WORD_CHARACTERS + 1))], `${MOST_WORD_CHARACTERS} characters`],
  ])("%s", (_, pages, refusal) => {
    expect(() => checkSize(pages)).toThrow(
      expect.objectContaining({ reason: "invalid_input", refusal: expect.stringContaining(refusal) }),
    );
  });

  test("and one that has as much is not", () => {
    expect(() => checkSize([words(MOST_PAGE_LINES), line(MOST_LINE_WORDS)])).not.toThrow();
    expect(() => checkRows(Array(MOST_ROWS))).not.toThrow();
    expect(() => checkRows(Array(MOST_ROWS + 1))).toThrow(expect.objectContaining({ reason: "invalid_input" }));
  });
});

describe("a report is read within its time, rules included", () => {
  const reader = new ReportReader({ rules: 0 });
  afterAll(() => reader.end());
  const known = { results: packed.results, learned: [] };

  test("rules that take too long end the reading, and not the thread that waits for it", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const files = [await pdf(writeRows)];
    await expect(reader.read(files, { known })).rejects.toMatchObject({ reason: "processing_error" });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
  });

  test("the time of the whole report counts, whatever each page takes", async () => {
    const hasty = new ReportReader({ report: 1 });
    await expect(hasty.read([await pdf(writeRows)])).rejects.toMatchObject({ reason: "processing_error" });
    await hasty.end();
  });

  test("a report with a hundred thousand tiny words is refused in seconds", async () => {
    const tiny = await pdf((document) => {
      document.font("Helvetica").fontSize(1);
      for (let row = 0; row < 400; row++) document.text("1 ".repeat(250), 10, 10 + row * 1.5, { lineBreak: false });
    });
    const start = performance.now();
    await expect(readWholeReport([tiny], known)).rejects.toMatchObject({ reason: "invalid_input" });
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  test("an ordinary one is read whole", async () => {
    const read = await readWholeReport([await pdf(writeRows)], known);
    expect(read.parsed.data.results.map(({ test_name }) => test_name)).toContain("Glucose");
    expect(read.pages).toEqual(await readPages([await pdf(writeRows)]));
  });
});
