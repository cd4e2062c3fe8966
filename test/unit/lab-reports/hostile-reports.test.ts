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

/** Maximum growth of work when the number of words doubles. */
const LINEAR = 2.2;

/** Counts reads of word positions during the given work. */
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

describe.each(Object.entries(shapes))("a page with %s", (_, shape) => {
  test("is split into lines in time proportional to its words", () => {
    const of = (count: number) => looksAt(shape(count).words, linesOf);
    // Sorting twice the words takes slightly more than twice the time.
    expect(of(16_000) / of(8_000)).toBeLessThan(LINEAR + 0.2);
  });

  test("is searched for superscripts in time proportional to its words", () => {
    const of = (count: number) => looksAt(shape(count).words, withoutRaisedMarks);
    expect(of(16_000) / of(8_000)).toBeLessThan(LINEAR);
  });
});

test.each(Object.entries(shapes).filter(([name]) => !/line$|drift/.test(name)))(
  "%s: texts are parsed in time proportional to their number",
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

describe("the limits of a report", () => {
  const words = (count: number, text = "Sodium") => pageOf(Array(count).fill(text).join("\n"));
  const line = (count: number) => pageOf(Array(count).fill("Sodium").join(" "));
  test.each([
    [
      "words on a page",
      [pageOf(Array(101).fill(Array(60).fill("98").join(" ")).join("\n"))],
      `${MOST_PAGE_WORDS} words`,
    ],
    [
      "words",
      Array(7).fill(pageOf(Array(100).fill(Array(50).fill("98").join(" ")).join("\n"))),
      `${MOST_REPORT_WORDS} words`,
    ],
    ["lines", [words(MOST_PAGE_LINES + 1)], `${MOST_PAGE_LINES} lines`],
    ["words in a line", [line(MOST_LINE_WORDS + 1)], `${MOST_LINE_WORDS} words`],
    ["characters in a word", [words(1, "9".repeat(MOST_WORD_CHARACTERS + 1))], `${MOST_WORD_CHARACTERS} characters`],
  ])("reject too many %s", (_, pages, refusal) => {
    expect(() => checkSize(pages)).toThrow(
      expect.objectContaining({ reason: "invalid_input", refusal: expect.stringContaining(refusal) }),
    );
  });

  test("accept a report exactly at the limits", () => {
    expect(() => checkSize([words(MOST_PAGE_LINES), line(MOST_LINE_WORDS)])).not.toThrow();
    expect(() => checkRows(Array(MOST_ROWS))).not.toThrow();
    expect(() => checkRows(Array(MOST_ROWS + 1))).toThrow(expect.objectContaining({ reason: "invalid_input" }));
  });
});

describe("a report is read within its deadline, including the rules", () => {
  const reader = new ReportReader({ rules: 0 });
  afterAll(() => reader.end());
  const known = { results: packed.results, learned: [] };

  test("rules that take too long stop the reader and not the waiting thread", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const files = [await pdf(writeRows)];
    await expect(reader.read(files, { known })).rejects.toMatchObject({ reason: "processing_error" });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
  });

  test("the deadline covers the whole report, regardless of its pages", async () => {
    const hasty = new ReportReader({ report: 1 });
    await expect(hasty.read([await pdf(writeRows)])).rejects.toMatchObject({ reason: "processing_error" });
    await hasty.end();
  });

  test("a report with a hundred thousand tiny words is rejected within seconds", async () => {
    const tiny = await pdf((document) => {
      document.font("Helvetica").fontSize(1);
      for (let row = 0; row < 400; row++) document.text("1 ".repeat(250), 10, 10 + row * 1.5, { lineBreak: false });
    });
    const start = performance.now();
    await expect(readWholeReport([tiny], known)).rejects.toMatchObject({ reason: "invalid_input" });
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  test("an ordinary report is read completely", async () => {
    const read = await readWholeReport([await pdf(writeRows)], known);
    expect(read.parsed.data.results.map(({ test_name }) => test_name)).toContain("Glucose");
    expect(read.pages).toEqual(await readPages([await pdf(writeRows)]));
  });
});
