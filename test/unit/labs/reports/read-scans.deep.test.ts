// @module-tag deep
import { createCanvas } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { readPages } from "../../../../lib/labs/reports/reader/read-pages.ts";
import { drawPage, sampleWords } from "./drawn-page.ts";
import { only, texts, word } from "./only-page.ts";

describe("a scanned page", () => {
  test.each([
    ["at 600 dpi", { dpi: 600 }],
    ["that is skewed", { degrees: 1.7 }],
    ["in uneven light", { dpi: 200, isUneven: true, degrees: -1 }],
    ["with boxes around its cells", { isBoxed: true }],
    ["with dotted leaders", { hasLeaders: true }],
  ])("%s is read word by word", async (_, look) => {
    const page = await only(drawPage(look).toBuffer("image/png"));
    expect(texts(page)).toEqual(sampleWords);
    expect(page.origin).toBe("image");
  });

  test.each([90, 180])("is read upright when it was scanned rotated by %i degrees", async (degrees) => {
    const sheet = drawPage({ dpi: 200 });
    const isSideways = degrees !== 180;
    const turned = isSideways ? createCanvas(sheet.height, sheet.width) : createCanvas(sheet.width, sheet.height);
    const context = turned.getContext("2d");
    context.translate(turned.width / 2, turned.height / 2);
    context.rotate((degrees * Math.PI) / 180);
    context.drawImage(sheet, -sheet.width / 2, -sheet.height / 2);
    const page = await only(turned.toBuffer("image/jpeg"));
    expect(texts(page)).toEqual(sampleWords);
    expect(Math.abs(word(page, "Glucose")!.left - 54)).toBeLessThan(1.5);
  });

  test("becomes one page of the report per image, in order", async () => {
    const pages = await readPages([150, 200].map((dpi) => drawPage({ dpi }).toBuffer("image/jpeg")));
    expect(pages.map((page) => page.dpi)).toEqual([150, 200]);
  });
});
