// @module-tag share
import { afterAll, describe, expect, test, vi } from "vitest";
import packed from "../../../data/lab-catalogue/catalogue.json" with { type: "json" };
import { toLines } from "../../../lib/domain/lab-reports/page/page-lines.ts";
import { removeSuperscripts } from "../../../lib/domain/lab-reports/page/remove-superscripts.ts";
import type { ReportWord } from "../../../lib/domain/lab-reports/page/report-page.ts";
import { parseReport } from "../../../lib/domain/lab-reports/parse-report.ts";
import {
  checkPageLimits,
  checkRowLimit,
  MAX_CHARACTERS_PER_WORD,
  MAX_LINES_PER_PAGE,
  MAX_ROWS_PER_REPORT,
  MAX_WORDS_PER_LINE,
  MAX_WORDS_PER_PAGE,
  MAX_WORDS_PER_REPORT,
} from "../../../lib/labs/reports/check-limits.ts";
import { extractReport, readPages } from "../../../lib/labs/reports/reader/read-pages.ts";
import { ReportReader } from "../../../lib/labs/reports/reader/report-reader.ts";
import { isDeep } from "../../support/depth.ts";
import { createPdfBytes, writeSampleRows } from "../labs/reports/drawn-page.ts";
import { hostilePages } from "./hostile-pages.ts";
import { bundledReportCatalogue, SUBMITTED_ON, textPage } from "./text-page.ts";

/** Maximum growth of work when the number of words doubles. */
const LINEAR = 2.2;

/** A third of the shapes in `npm test`. Smaller pages would not tell linear from quadratic work. */
const shapes = Object.entries(hostilePages).filter((_, index) => isDeep || index % 3 === 0);

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

describe.each(shapes)("a page with %s", (_, shape) => {
  test("is split into lines in time proportional to its words", { tags: "deep" }, () => {
    const of = (count: number) => looksAt(shape(count).words, toLines);
    // Sorting twice the words takes slightly more than twice the time.
    expect(of(16_000) / of(8_000)).toBeLessThan(LINEAR + 0.2);
  });

  test("is searched for superscripts in time proportional to its words", { tags: "deep" }, () => {
    const of = (count: number) => looksAt(shape(count).words, removeSuperscripts);
    expect(of(16_000) / of(8_000)).toBeLessThan(LINEAR);
  });
});

test.each(shapes.filter(([name]) => !/line$|drift/.test(name)))(
  "%s: texts are parsed in time proportional to their number",
  { tags: "deep" },
  (_, shape) => {
    const spy = vi.spyOn(RegExp.prototype, "test");
    const of = (count: number) => {
      spy.mockClear();
      parseReport([shape(count)], bundledReportCatalogue, SUBMITTED_ON);
      return spy.mock.calls.length;
    };
    expect(of(600) / of(300)).toBeLessThan(LINEAR + 0.3);
    spy.mockRestore();
  },
);

describe("the limits of a report", () => {
  const words = (count: number, text = "Sodium") => textPage(Array(count).fill(text).join("\n"));
  const line = (count: number) => textPage(Array(count).fill("Sodium").join(" "));
  test.each([
    [
      "words on a page",
      [textPage(Array(101).fill(Array(60).fill("98").join(" ")).join("\n"))],
      `${MAX_WORDS_PER_PAGE} words`,
    ],
    [
      "words",
      Array(7).fill(textPage(Array(100).fill(Array(50).fill("98").join(" ")).join("\n"))),
      `${MAX_WORDS_PER_REPORT} words`,
    ],
    ["lines", [words(MAX_LINES_PER_PAGE + 1)], `${MAX_LINES_PER_PAGE} lines`],
    ["words in a line", [line(MAX_WORDS_PER_LINE + 1)], `${MAX_WORDS_PER_LINE} words`],
    [
      "characters in a word",
      [words(1, "9".repeat(MAX_CHARACTERS_PER_WORD + 1))],
      `${MAX_CHARACTERS_PER_WORD} characters`,
    ],
  ])("reject too many %s", (_, pages, refusal) => {
    expect(() => checkPageLimits(pages)).toThrow(
      expect.objectContaining({ reason: "invalid_input", refusal: expect.stringContaining(refusal) }),
    );
  });

  test("accept a report exactly at the limits", () => {
    expect(() => checkPageLimits([words(MAX_LINES_PER_PAGE), line(MAX_WORDS_PER_LINE)])).not.toThrow();
    expect(() => checkRowLimit(Array(MAX_ROWS_PER_REPORT))).not.toThrow();
    expect(() => checkRowLimit(Array(MAX_ROWS_PER_REPORT + 1))).toThrow(
      expect.objectContaining({ reason: "invalid_input" }),
    );
  });
});

describe("a report is read within its deadline, including the rules", () => {
  const reader = new ReportReader({ rules: 0 });
  afterAll(() => reader.end());
  const basis = { results: packed.results, learned: [], submittedOn: SUBMITTED_ON };

  test("rules that take too long stop the reader and not the waiting thread", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const files = [await createPdfBytes(writeSampleRows)];
    await expect(reader.read(files, { basis })).rejects.toMatchObject({ reason: "processing_error" });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
  });

  test("the deadline covers the whole report, regardless of its pages", async () => {
    const hasty = new ReportReader({ report: 1 });
    await expect(hasty.read([await createPdfBytes(writeSampleRows)])).rejects.toMatchObject({
      reason: "processing_error",
    });
    await hasty.end();
  });

  test("a report with a hundred thousand tiny words is rejected", { tags: "deep" }, async () => {
    const tiny = await createPdfBytes((document) => {
      document.font("Helvetica").fontSize(1);
      for (let row = 0; row < 400; row++) document.text("1 ".repeat(250), 10, 10 + row * 1.5, { lineBreak: false });
    });
    await expect(extractReport([tiny], basis)).rejects.toMatchObject({ reason: "invalid_input" });
  });

  test("an ordinary report is read completely", async () => {
    const read = await extractReport([await createPdfBytes(writeSampleRows)], basis);
    expect(read.parsed.data.results.map(({ test_name }) => test_name)).toContain("Glucose");
    expect(read.pages).toEqual(await readPages([await createPdfBytes(writeSampleRows)]));
  });
});
