import { createCanvas } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { createPdfBytes, drawPage, sampleWords, writeSampleRows } from "./drawn-page.ts";
import { only, texts, word } from "./only-page.ts";

describe("a PDF with text", () => {
  test("is read word by word, each with its position", async () => {
    const page = await only(await createPdfBytes(writeSampleRows));
    expect(texts(page)).toEqual(sampleWords);
    expect(page).toMatchObject({ width: 612, height: 792, origin: "text", dpi: null });
    const value = word(page, "0.94")!;
    expect([value.left, value.top + value.height].map(Math.round)).toEqual([234, 138]);
    expect(Math.round(value.width)).toBe(19);
    expect(value.confidence).toBe(100);
  });

  test("has separate words for one text run, each at its position", async () => {
    const page = await only(
      await createPdfBytes((document) => {
        writeSampleRows(document);
        document.text("Reported by Laboratory", 54, 400, { lineBreak: false });
      }),
    );
    const [by, laboratory] = [word(page, "by")!, word(page, "Laboratory")!];
    expect(Math.abs(by.left - 54 - 47)).toBeLessThan(5);
    expect(Math.abs(laboratory.left - 54 - 61)).toBeLessThan(5);
  });

  test.each([90, 180, 270])("is read upright when it is displayed rotated by %i degrees", async (degrees) => {
    const turned = await createPdfBytes((document) => {
      Object.assign(document.page.dictionary.data, { Rotate: degrees });
      const { width, height } = document.page;
      if (degrees === 90) document.transform(0, 1, -1, 0, width, 0);
      if (degrees === 180) document.transform(-1, 0, 0, -1, width, height);
      if (degrees === 270) document.transform(0, -1, 1, 0, 0, height);
      writeSampleRows(document);
    });
    const page = await only(turned);
    expect(texts(page)).toEqual(sampleWords);
    expect(Math.round(word(page, "Glucose")!.left)).toBe(54);
  });

  test("is read as rotated when its lines run up the page", async () => {
    const page = await only(
      await createPdfBytes((document) => {
        document.transform(0, -1, 1, 0, 0, 792);
        writeSampleRows(document);
      }),
    );
    expect(texts(page)).toEqual(sampleWords);
    expect([page.width, page.height]).toEqual([792, 612]);
    expect(Math.round(word(page, "Glucose")!.left)).toBe(54);
  });

  test("is not trusted when it lies invisibly under a scan", { tags: "deep" }, async () => {
    const scan = drawPage({ dpi: 200 }).toBuffer("image/jpeg");
    const page = await only(
      await createPdfBytes((document) => {
        document.image(scan, 0, 0, { width: 612 });
        document.addContent("3 Tr");
        for (let at = 0; at < 30; at++) document.text("wrong", 54, 100 + at * 15, { lineBreak: false });
      }),
    );
    expect(page.origin).toBe("image");
    expect(texts(page)).not.toContain("wrong");
    expect(texts(page)).toContain("Glucose");
  });
});

describe("a scanned page", () => {
  test("of 200 dpi is read word by word, each at its position on the sheet", { tags: "deep" }, async () => {
    const page = await only(drawPage({ dpi: 200 }).toBuffer("image/jpeg"));
    expect(texts(page)).toEqual(sampleWords);
    const value = word(page, "0.94")!;
    expect([page.width, page.height, page.dpi].map((size) => Math.round(size ?? 0))).toEqual([612, 792, 200]);
    expect(Math.abs(value.left - 234)).toBeLessThan(1.5);
    expect(Math.abs(value.top + value.height - 138)).toBeLessThan(1.5);
    expect(Math.abs(value.width - 19)).toBeLessThan(2);
    expect(value.confidence).toBeGreaterThan(80);
  });

  test("in strips of a PDF is joined at its resolution", { tags: "deep" }, async () => {
    const sheet = drawPage({ dpi: 200 });
    const strips = [0, 1].map((at) => {
      const strip = createCanvas(sheet.width, sheet.height / 2);
      strip.getContext("2d").drawImage(sheet, 0, (-at * sheet.height) / 2);
      return strip.toBuffer("image/jpeg", 90);
    });
    const page = await only(
      await createPdfBytes((document) => {
        for (const [at, strip] of strips.entries()) document.image(strip, 0, at * 396, { width: 612, height: 396 });
      }),
    );
    expect(texts(page)).toEqual(sampleWords);
    expect(page).toMatchObject({ origin: "image", dpi: 200 });
  });
});
