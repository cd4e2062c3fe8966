import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { patientNamePattern } from "../../../../lib/domain/users/demographics/patient-name.ts";
import { drawAdvanceNotice } from "../../../../lib/labs/documents/advance-notice.ts";
import { drawLabels } from "../../../../lib/labs/documents/labels.ts";
import { drawRequisition } from "../../../../lib/labs/documents/requisition.ts";
import {
  createdAtMs,
  createMarkers,
  createPartnerOrder,
  exampleInsurance,
  undisclosedFields,
} from "./document-fixtures.ts";
import { findLayoutFaults, readBarCodes, readPageTexts, readTextFragments, removeSpaces } from "./read-pdf.ts";

const about = { insurance: null, createdAt: createdAtMs };
const name = fc.stringMatching(patientNamePattern).filter((text) => text.length <= 50);
/** The widest names that an order accepts. */
const longest = { first_name: "W".repeat(50), last_name: `${"Wolfe-".repeat(8)}W.` };
const words = fc
  .string({ unit: fc.constantFrom(..."aeinrst-,(0 "), minLength: 1, maxLength: 120 })
  .map((text) => `T${text}`);
const ordered = fc
  .record({ first_name: name, last_name: name, names: fc.array(words, { minLength: 1, maxLength: 60 }) })
  .map(({ names, ...person }) =>
    createPartnerOrder({ markers: createMarkers(names.length, (index) => names[index] ?? ""), ...person }),
  );

describe("a requisition", () => {
  test("shows the patient, the physician, every test and every answer of any order, without overlaps", {
    tags: "deep",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(ordered, async (order) => {
        const pdf = await drawRequisition(order, about);
        const { patient_details: patient, physician, lab_test: test } = order.order;
        const pages = await readPageTexts(pdf);
        const text = pages.join("");
        const parts = [
          `${patient?.first_name}${patient?.last_name}Date of birth1990-05-17SexFemale`,
          "West Lincoln Street 1Phoenix, AZ 85004, US",
          `${physician?.first_name} ${physician?.last_name}NPI 1234567893`,
          "Client account",
          "E11.9, Z00.00",
          "Have you fasted for at least 8 hours?Yes",
          "Which blood thinners do you take?Warfarin, Heparin",
          "When was the last dose taken?Yesterday at noon",
          "Clinical notesPlease draw from the left arm.",
        ];
        for (const part of parts) expect(text).toContain(removeSpaces(part));
        for (const [index, { name, provider_id }] of (test.markers ?? []).entries()) {
          const row = removeSpaces(`${index + 1}${provider_id}${name}${index % 5 === 0 ? "Panel" : "Biomarker"}`);
          expect(pages.filter((page) => page.includes(row)).length).toBeGreaterThan(0);
        }
        expect((await readTextFragments(pdf)).flatMap(findLayoutFaults)).toEqual([]);
        expect(readBarCodes(pdf)).toEqual([order.requisition]);
        expect(pdf.length / pages.length).toBeLessThan(60_000);
      }),
      { numRuns: 25 },
    );
  });

  test("of 60 tests repeats the table header, the number and the patient on each page", async () => {
    const order = createPartnerOrder({ markers: createMarkers(60), ...longest });
    const pdf = await drawRequisition(order, about);
    const pages = await readPageTexts(pdf);
    expect(pages.length).toBeGreaterThan(2);
    expect((await readTextFragments(pdf)).flatMap(findLayoutFaults)).toEqual([]);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`Page${index + 1}of${pages.length}`);
      expect(page).toContain(order.requisition);
      expect(page).toContain(removeSpaces(`${longest.first_name}${longest.last_name}`));
      expect(page).toContain("No.CodeTestKind");
    }
  });

  test.each([
    ["quest", true],
    ["labcorp", true],
    ["sonora_quest", true],
    ["bioreference", true],
    ["ussl", false],
  ])("for %s shows the clinical notes: %s", async (lab, isPrinted) => {
    const [page = ""] = await readPageTexts(
      await drawRequisition(createPartnerOrder({ markers: createMarkers(2), lab }), about),
    );
    expect(page.includes("leftarm")).toBe(isPrinted);
  });

  test("shows the insurance only when it pays", async () => {
    const drawn = async (billing_type: string) => {
      const order = createPartnerOrder({ markers: createMarkers(1), more: { billing_type } });
      return (
        await readPageTexts(await drawRequisition(order, { insurance: exampleInsurance, createdAt: createdAtMs }))
      ).join("");
    };
    const parts = ["Desert Health Plan", "MEM-778899", "GRP-12", "60054"].map(removeSpaces);
    const [paid, unpaid] = [await drawn("commercial_insurance"), await drawn("patient_bill")];
    for (const part of parts) expect([paid.includes(part), unpaid.includes(part)]).toEqual([true, false]);
  });

  test("marks a priority order and a fasting patient in boxes", async () => {
    const order = createPartnerOrder({ markers: createMarkers(1), more: { priority: true } });
    const fasting = { ...order, order: { ...order.order, lab_test: { ...order.order.lab_test, fasting: true } } };
    expect((await readPageTexts(await drawRequisition(fasting, about)))[0]).toContain("PRIORITYFASTING");
    expect(
      (await readPageTexts(await drawRequisition(createPartnerOrder({ markers: createMarkers(1) }), about)))[0],
    ).not.toMatch(/PRIORITY|FASTING/);
  });

  test("can be drawn for an order without patient and physician", async () => {
    const order = createPartnerOrder({
      markers: [],
      order: { patient_details: null, patient_address: null, physician: null, icd_codes: null },
    });
    expect((await readPageTexts(await drawRequisition(order, about)))[0]).toContain("Notgiven");
  });
});

describe("labels", () => {
  const labelsOf = (order: ReturnType<typeof createPartnerOrder>["order"], count: number) =>
    drawLabels(order, { count, collectionDate: "2026-05-02", createdAt: createdAtMs });

  test("show only name, date of birth, number and day, and the bar code encodes the number", {
    tags: "deep",
  }, async () => {
    const sampleId = fc.stringMatching(/^[A-Za-z0-9-]{1,40}$/);
    await fc.assert(
      fc.asyncProperty(
        name,
        name,
        sampleId,
        fc.integer({ min: 1, max: 40 }),
        async (first_name, last_name, sample_id, count) => {
          const { order } = createPartnerOrder({
            markers: createMarkers(3),
            first_name,
            last_name,
            order: { sample_id },
          });
          const pdf = await labelsOf(order, count);
          const label = removeSpaces(`${first_name}${last_name}DOB 1990-05-17Coll. 2026-05-02${sample_id}`);
          expect((await readPageTexts(pdf)).join("")).toBe(label.repeat(count));
          expect(readBarCodes(pdf)).toEqual(Array.from({ length: count }, () => sample_id));
          expect((await readTextFragments(pdf)).flatMap(findLayoutFaults)).toEqual([]);
        },
      ),
      { numRuns: 20 },
    );
  });

  test("come thirty to a sheet, or ten large ones for a number too long for small labels", {
    tags: "deep",
  }, async () => {
    const { order } = createPartnerOrder({ markers: createMarkers(1) });
    const sheets = async (sample_id: string, count: number) =>
      (await readPageTexts(await labelsOf({ ...order, sample_id }, count))).length;
    expect(await Promise.all([sheets("S1", 30), sheets("S1", 31)])).toEqual([1, 2]);
    const uuid = "f47ac10b-58cc-4372-a567-0e02b2c3d479";
    expect(await Promise.all([sheets(uuid, 10), sheets(uuid, 11)])).toEqual([1, 2]);
  });

  test.each([null, "血液", "x".repeat(80)])(
    "show the requisition number when the sample number is %s",
    async (sample_id) => {
      const { order, requisition } = createPartnerOrder({ markers: createMarkers(1), order: { sample_id } });
      expect(readBarCodes(await labelsOf(order, 2))).toEqual([requisition, requisition]);
    },
  );
});

describe("an advance notice", () => {
  test("shows the price of each test, the total, the options and the signature line", async () => {
    await fc.assert(
      fc.asyncProperty(ordered, async (order) => {
        const pdf = await drawAdvanceNotice(order, { createdAt: createdAtMs });
        const { patient_details: patient, lab_test: test } = order.order;
        const pages = await readPageTexts(pdf);
        for (const { name, provider_id, price } of test.markers ?? []) {
          expect(pages.some((page) => page.includes(removeSpaces(`${name}${provider_id}$${price}`)))).toBe(true);
        }
        const text = pages.join("");
        expect(text).toContain(removeSpaces(`Patient${patient?.first_name}${patient?.last_name}`));
        expect(text).toContain(removeSpaces(`All tests of this order together$${test.price.toFixed(2)}`));
        expect(pages.at(-1)).toContain("Signature");
        expect((await readTextFragments(pdf)).flatMap(findLayoutFaults)).toEqual([]);
        expect(readBarCodes(pdf)).toEqual([order.requisition]);
      }),
      { numRuns: 10 },
    );
  });
});

describe("the documents of an order", () => {
  const order = createPartnerOrder({ markers: createMarkers(4), more: { billing_type: "commercial_insurance" } });
  const drawn = () =>
    Promise.all([
      drawRequisition(order, { insurance: exampleInsurance, createdAt: createdAtMs }),
      drawAdvanceNotice(order, { createdAt: createdAtMs }),
      drawLabels(order.order, { count: 2, collectionDate: "2026-05-02", createdAt: createdAtMs }),
    ]);

  test("have the same bytes when they are drawn again", async () => {
    const [first, again] = [await drawn(), await drawn()];
    expect(first.map((pdf, index) => pdf.equals(again[index] ?? Buffer.alloc(0)))).toEqual([true, true, true]);
  });

  test("contain no unneeded patient data, and none in the file metadata", async () => {
    const [requisition = "", notice = "", labels = ""] = await Promise.all(
      (await drawn()).map(async (pdf) => (await readPageTexts(pdf)).join("")),
    );
    for (const fact of Object.values(undisclosedFields)) {
      for (const text of [requisition, notice, labels]) expect(text).not.toContain(removeSpaces(String(fact)));
    }
    for (const fact of ["1990-05-17", "Lincoln", "6025550123", "E11.9", "leftarm", "Warfarin", "MEM-778899"]) {
      expect(requisition).toContain(fact);
      expect(notice).not.toContain(fact);
    }
    for (const pdf of await drawn()) expect(pdf.toString("latin1")).not.toMatch(/Ada|Sample\b(?! labels)/);
  });
});
