import { extractText, getDocumentProxy } from "unpdf";
import { describe, expect, test } from "vitest";
import { collectionInstructions } from "../../../../lib/domain/lab-tests/collection-instructions.ts";
import { defaultLabTests } from "../../../../lib/domain/lab-tests/default-lab-tests.ts";
import { findLab } from "../../../../lib/domain/lab-tests/labs.ts";
import { drawCollectionInstructions } from "../../../../lib/labs/documents/collection-instruction.ts";
import { PrintableDocument } from "../../../../lib/labs/documents/printable-document.ts";

const createdAt = Date.parse("2026-05-01T08:00:00Z");
const about = { title: "A sheet", kicker: "Test", createdAt };

async function textOf(pdf: Buffer): Promise<{ pages: number; text: string }> {
  const { text, totalPages } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
  return { pages: totalPages, text };
}

describe("collection instructions", () => {
  test.each(defaultLabTests)(
    "of $name fill one page with the collector, the steps and the destination",
    async (labTest) => {
      const lab = findLab(labTest.lab);
      if (!lab) throw new Error("no lab");
      for (const sample of lab.sample_types) {
        const instructions = collectionInstructions({ ...labTest, fasting: true }, lab, sample);
        const pdf = await drawCollectionInstructions(instructions, {
          description: labTest.description,
          facts: [["Sample", sample]],
          createdAt: createdAt,
        });
        const { pages, text } = await textOf(pdf);
        expect(pages).toBe(1);
        const plain = text.replaceAll(/\s+/g, " ");
        for (const part of [labTest.name, lab.name, sample, "Eat nothing", ...instructions.steps])
          expect(plain).toContain(part);
      }
    },
  );
});

describe("a printable document", () => {
  test("is identical when it is drawn again", async () => {
    const draw = async () => (await PrintableDocument.open(about)).paragraph("Text").finish();
    const ids = /\/ID \[[^\]]*\]/g;
    const [one, other] = (await Promise.all([draw(), draw()])).map((pdf) => pdf.toString("latin1").replaceAll(ids, ""));
    expect(one).toBe(other);
  });

  test("continues on further pages without splitting a table row", async () => {
    const sheet = await PrintableDocument.open(about);
    const columns = [
      { name: "Test", share: 3 },
      { name: "Value", share: 1, isNumber: true },
    ];
    const rows = Array.from({ length: 90 }, (_, index) => [
      `Row ${index} ${"with many words ".repeat(index % 7)}`,
      String(index),
    ]);
    const { pages, text } = await textOf(await sheet.heading("All").table(columns, rows).note("The end").finish());
    expect(pages).toBeGreaterThan(2);
    for (const [name = ""] of rows) expect(text.replaceAll(/\s+/g, " ")).toContain(name.trim().slice(0, 40));
    expect(text).toContain("The end");
  });

  test("accepts texts of any length and script", async () => {
    const sheet = await PrintableDocument.open({ ...about, title: "血液 🩸 ".repeat(30) });
    const long = "wort".repeat(500);
    const pdf = await sheet
      .facts([
        [long, long],
        ["", ""],
      ])
      .steps(["", long])
      .paragraph("\u0000\n\t")
      .finish();
    expect((await textOf(pdf)).pages).toBeGreaterThan(0);
  });
});
