// @module-tag share
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createCanvas } from "@napi-rs/canvas";
import { afterAll, describe, expect, test } from "vitest";
import { checkFiles, MAX_REPORT_BYTES } from "../../../../lib/labs/reports/check-files.ts";
import { readPages } from "../../../../lib/labs/reports/reader/read-pages.ts";
import { UnreadableReport } from "../../../../lib/labs/reports/unreadable-report.ts";
import { chooseCount, isDeep } from "../../../support/depth.ts";
import { buildPdf, buildPng, jpegWithClaimedSize, pdfStream, zlibBomb } from "./decompression-bombs.ts";
import { createPdfBytes, drawPage, sampleWords, writeSampleRows } from "./drawn-page.ts";

const PAGE = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R";
const page = drawPage({ dpi: 100 });
const [jpeg, png] = [page.toBuffer("image/jpeg"), page.toBuffer("image/png")];
const text = await createPdfBytes(writeSampleRows);

/** The reason why files are rejected before or while they are read. */
async function reasonOf(...files: readonly Uint8Array[]) {
  const error: unknown = await readPages(files).catch((thrown: unknown) => thrown);
  if (!(error instanceof UnreadableReport)) throw new Error("the files were read", { cause: error });
  return error.reason;
}
const check =
  (...files: readonly Uint8Array[]) =>
  () =>
    checkFiles(files);
const pages = (count: number) =>
  createPdfBytes((document) => {
    for (let at = 1; at < count; at++) document.addPage();
  });

describe("checkFiles", () => {
  test("detects the file type from the content", () => {
    expect([text, jpeg, png].map((file) => checkFiles([file]))).toEqual([["pdf"], ["jpeg"], ["png"]]);
    expect(checkFiles(Array(8).fill(jpeg))).toHaveLength(8);
  });

  test.each([
    ["no file", [], "no file"],
    ["an empty file", [new Uint8Array(0)], "empty"],
    ["another kind of file", [Buffer.from("PK\u0003\u0004 a zip file named report.pdf")], "not a PDF, JPEG or PNG"],
    ["a text file", [Buffer.from("Glucose 112 mg/dL")], "not a PDF, JPEG or PNG"],
    ["nine images", Array(9).fill(png), "at most 8 images"],
    ["a PDF among images", [png, text], "one PDF or images"],
    ["two PDFs", [text, text], "one PDF or images"],
    ["more bytes than allowed", [Buffer.concat([png, Buffer.alloc(MAX_REPORT_BYTES)])], "more than 10000000 bytes"],
    ["more bytes than allowed in total", Array(2).fill(Buffer.concat([png, Buffer.alloc(5_000_000)])), "more than"],
    ["a JPEG cut off in its header", [jpeg.subarray(0, 30)], "damaged"],
    ["a PNG cut off in its header", [png.subarray(0, 20)], "damaged"],
    ["a PNG without size", [buildPng(0, 10, Buffer.alloc(0))], "damaged"],
    ["a PNG of 30,000 x 30,000 pixels", [buildPng(30_000, 30_000, zlibBomb(0.01))], "million pixels"],
    ["a JPEG of 65,000 x 65,000 pixels", [jpegWithClaimedSize(jpeg, 65_000, 65_000)], "million pixels"],
  ])("rejects %s", (_, files, message) => {
    expect(check(...files)).toThrow(UnreadableReport);
    expect(check(...files)).toThrow(message);
  });

  test("rejects an encrypted PDF, even one that opens without a password", async () => {
    const locked = await createPdfBytes(writeSampleRows, { userPassword: "secret", ownerPassword: "owner" });
    const restricted = await createPdfBytes(writeSampleRows, { ownerPassword: "owner" });
    for (const file of [locked, restricted]) expect(check(file)).toThrow("encrypted");
  });

  test("rejects a PDF with 31 pages and accepts one with 30", async () => {
    expect(check(await pages(31))).toThrow(expect.objectContaining({ reason: "too_many_pages" }));
    expect(check(await pages(30))).not.toThrow();
  });
});

describe("readPages", () => {
  test("counts pages inside compressed objects", { tags: "deep" }, async () => {
    const kids = "4 0 R ".repeat(31);
    const file = buildPdf(
      "<</Type/Pages/Parent 2 0 R/Count 31/Kids[".concat(kids, "]>>"),
      "<</Type/Page/Parent 3 0 R>>",
    );
    const counted = Buffer.from(file.toString("latin1").replace("/Count 1>>", "/Count 31>>"), "latin1");
    expect(await reasonOf(counted)).toBe("too_many_pages");
  });

  test.each([
    ["a PDF cut off in the middle of its page", text.subarray(0, 400)],
    ["garbage after the header of a PDF", Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(5000, "garbage ")])],
    [
      "a PDF without pages",
      Buffer.from(buildPdf("<<>>").toString("latin1").replace("/Kids[3 0 R]/Count 1", "/Kids[]/Count 0")),
    ],
    ["a JPEG cut off in its pixels", jpeg.subarray(0, jpeg.length >> 1)],
    ["a PNG cut off in its pixels", png.subarray(0, png.length >> 1)],
    ["garbage for the pixels of a PNG", buildPng(500, 500, Buffer.alloc(3000, "garbage"))],
    ["garbage for the pixels of a JPEG", Buffer.concat([jpeg.subarray(0, 700), Buffer.alloc(3000, "garbage")])],
  ])("rejects %s", async (_, file) => {
    expect(await reasonOf(file)).toBe("invalid_input");
  });

  test("rejects blank sheets and noise for low quality", { tags: "deep" }, async () => {
    const blank = createCanvas(850, 1100);
    blank.getContext("2d").fillRect(0, 0, 0, 0);
    expect(await reasonOf(blank.toBuffer("image/jpeg"))).toBe("low_quality");
    expect(await reasonOf(await pages(2))).toBe("low_quality");
    const noise = createCanvas(850, 1100);
    const context = noise.getContext("2d");
    for (let at = 0, random = 1; at < 60_000; at++, random = (random * 48_271) % 2_147_483_647)
      context.fillRect(random % 850, Math.floor(random / 850) % 1100, 2, 2);
    expect(await reasonOf(noise.toBuffer("image/png"))).toBe("low_quality");
  });

  test("rejects a report in another language", async () => {
    const german = "Der Patient wurde nüchtern untersucht und die Werte liegen im Bereich der Norm, außer dem Zucker. ";
    const file = await createPdfBytes((document) =>
      document.font("Helvetica").text(german.repeat(6), 54, 54, { width: 500 }),
    );
    expect(await reasonOf(file)).toBe("not_english");
  });

  test("ignores scripts and attachments of a PDF", async () => {
    const active = await createPdfBytes((document) => {
      writeSampleRows(document);
      document.file(Buffer.from("<script>1</script>"), { name: "attached.html" });
    });
    const withScript = Buffer.from(active)
      .toString("latin1")
      .replace(
        /\/Type \/Catalog/,
        "/Type /Catalog /OpenAction <</S /JavaScript /JS (app.alert(1); while \\(true\\) {})>>",
      );
    const [page] = await readPages([Buffer.from(withScript, "latin1")]);
    expect(page?.words.map((word) => word.text)).toEqual(sampleWords);
  });
});

/** More than the memory of the function. */
const BOMB_GB = chooseCount(3.5, 8);

describe("a decompression bomb uses no more memory than a large scan", () => {
  const directory = mkdtempSync(join(tmpdir(), "bombs-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const grey = (width: number, height: number) =>
    `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8`;
  const drawing = pdfStream("", Buffer.from("q 612 0 0 792 0 0 cm /I Do Q"));
  const withImage = `${PAGE}/Resources<</XObject<</I 5 0 R>>>>>>`;

  const bombs: [name: string, file: Uint8Array][] = [
    [
      `a page's content that inflates to ${BOMB_GB} GB`,
      buildPdf(`${PAGE}>>`, pdfStream("/Filter/FlateDecode", zlibBomb(BOMB_GB))),
    ],
    [
      `an image that inflates to ${BOMB_GB} GB`,
      buildPdf(withImage, drawing, pdfStream(`${grey(1000, 1000)}/Filter/FlateDecode`, zlibBomb(BOMB_GB))),
    ],
    [
      "an image in a PDF that claims 60,000 x 60,000 pixels",
      buildPdf(withImage, drawing, pdfStream(`${grey(60_000, 60_000)}/Filter/FlateDecode`, zlibBomb(3.3))),
    ],
    [
      "a JPEG in a PDF that is larger than the PDF claims",
      buildPdf(
        withImage,
        drawing,
        pdfStream(`${grey(800, 1000)}/Filter/DCTDecode`, jpegWithClaimedSize(jpeg, 65_000, 65_000)),
      ),
    ],
    [`a PNG that inflates to ${BOMB_GB} GB`, buildPng(1000, 1000, zlibBomb(BOMB_GB))],
  ];

  // Two of the files in `npm test`, all in `npm run test:deep`.
  test.each(isDeep ? bombs : bombs.slice(-2))("%s", { tags: "deep" }, async (name, file) => {
    expect(file.length).toBeLessThan(MAX_REPORT_BYTES);
    const path = join(directory, name.replaceAll(/\W/g, "-"));
    writeFileSync(path, file);
    const script = join(import.meta.dirname, "read-in-child.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [script, path]);
    const outcome = JSON.parse(stdout);
    expect(["invalid_input", "low_quality"]).toContain(outcome.reason);
    // The Lambda function has 3,008 MB; the reader thread is limited to 1,300 MB.
    expect(outcome.megabytes).toBeLessThan(2000);
  });
});
