import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requisitionNumber } from "../../../lib/domain/orders/lab-partner.ts";
import { newOrder } from "../../../lib/domain/orders/placement/new-order.ts";
import { toOrderPlacement } from "../../../lib/domain/orders/placement/order-placement.ts";
import { type LabReport, ReportRefused } from "../../../lib/domain/results/lab-report.ts";
import { readFhirReports } from "../../../lib/labs/fhir/read-fhir-reports.ts";
import { defaultSeparators, findSegment, parseMessage, unescapeValue, valueAt } from "../../../lib/labs/hl7/message.ts";
import { readOru } from "../../../lib/labs/hl7/read-oru.ts";
import { receiveOru } from "../../../lib/labs/hl7/receive-oru.ts";
import { splitBatch } from "../../../lib/labs/hl7/split-batch.ts";
import { fromHl7Date, fromHl7Time } from "../../../lib/labs/hl7/time.ts";
import { writeMessage, writeSegment } from "../../../lib/labs/hl7/write-message.ts";
import { writeOml } from "../../../lib/labs/hl7/write-oml.ts";
import { createDraft, createOrderContext, ORDERED_AT } from "../orders/order-fixtures.ts";

const golden = (name: string) => readFileSync(new URL(`golden/${name}`, import.meta.url), "utf8");
const hl7 = golden("final.hl7");
const fhir = golden("report.fhir.json");
const answer = { lab: "quest", control: "A1", at: "2026-03-04T22:00:00.000Z", processing: "T" } as const;
/** The only report of a message, with or without transport framing. */
function oru(text: string): LabReport {
  const { messages } = splitBatch(text);
  const [report, ...others] = messages.flatMap((one) => readOru(parseMessage(one), "quest"));
  if (!report || others.length > 0) throw new Error("The message has not one report.");
  return report;
}

/** The common content of both golden reports. */
const about = {
  lab: "quest",
  requisition: "REQ0001",
  sample_id: "S-9001",
  patient: { first_name: "Ada", last_name: "Sample", dob: "1990-05-17", gender: "female", patient_id: "P-77" },
  collected_at: "2026-03-04T14:00:00.000Z",
  received_at: "2026-03-04T15:00:00.000Z",
} as const;

describe("an HL7 result message", () => {
  test("parses with its order, patient, sample and laboratory", () => {
    expect(oru(hl7)).toMatchObject({
      ...about,
      report_id: "F0001",
      status: "final",
      account_number: "1234567890",
      reported_at: "2026-03-04T21:25:00.000Z",
      clia_number: "00D0000000",
      laboratory_name: "Main laboratory",
    });
  });

  test("parses each observation with codes, unit, range, flag, status and comment, and without attachments", () => {
    const read = oru(hl7).observations;
    expect(
      read.map(({ loinc, code, test_code, type, value, status }) => [loinc, code, test_code, type, value, status]),
    ).toEqual([
      ["2345-7", "2345-7", "483", "numeric", "112", "final"],
      ["1988-5", "1988-5", "483", "numeric", "<0.5", "final"],
      ["24111-7", "24111-7", "700", "coded_value", "Not detected", "final"],
      [null, "LOCAL1", "700", "comment", "Clear\nYellow", "final"],
      ["3094-0", "3094-0", "700", "numeric", "", "cancelled"],
    ]);
    expect(read[0]).toMatchObject({
      unit: "mg/dL",
      reference_range: "70-99",
      flag: "H",
      note: "Fasting & repeated\nsecond line",
    });
    expect(read[3]?.name).toBe("Appearance ^ colour");
    expect(read[4]?.note).toBe("Test not performed: quantity not sufficient");
  });

  test("parses with its declared separators, any line endings and transport framing", () => {
    const read = oru(golden("other-separators.hl7"));
    expect(read).toMatchObject({ status: "partial", report_id: "F0002", sample_id: "F0002", patient: about.patient });
    expect(read.observations[0]).toMatchObject({ value: "88", status: "preliminary" });
    expect(read.observations[1]?.value).toBe("Clear\n5 # 6");
    for (const end of ["\r", "\r\n"]) expect(oru(`\u000b${hl7.replaceAll("\n", end)}\u001c\r`)).toEqual(oru(hl7));
  });

  test("is acknowledged as accepted, invalid, or of an unsupported type", () => {
    const codes = [hl7, hl7.replace("PID|", "PV1|"), hl7.replace("ORU^R01", "ADT^A01"), "hello"].map((text) => {
      const { code, acknowledgement, reports } = receiveOru(text, answer);
      const read = parseMessage(acknowledgement);
      expect(valueAt(read, findSegment(read, "MSA"), 1)).toBe(code);
      expect(reports.length === 0).toBe(code !== "AA");
      return [code, valueAt(read, findSegment(read, "MSA"), 2)];
    });
    expect(codes).toEqual([
      ["AA", "M0001"],
      ["AE", "M0001"],
      ["AR", "M0001"],
      ["AR", ""],
    ]);
  });

  test.each([
    ["without a patient", hl7.replace("PID|", "ZPI|"), "no patient"],
    ["without a request", hl7.replaceAll("OBR|", "ZBR|"), "no OBR segment"],
    ["with a value without a code", hl7.replace("2345-7^Glucose^LN^GLU^Glucose^L", "^^LN"), "what was measured"],
    ["with a line that is not a segment", hl7.replace("ORC|", "orc|"), "Line 3"],
    ["with two equal separators", hl7.replace("^~\\&", "^^\\&"), "encoding characters"],
    [
      "without a report time",
      hl7.replaceAll("20260304142500-0700", "").replace("20260304143000-0700", "soon"),
      "when it was reported",
    ],
  ])("%s is rejected with the reason", (_, text, why) => {
    expect(() => oru(text)).toThrow(ReportRefused);
    expect(() => oru(text)).toThrow(why);
  });

  test("has times with their UTC offset, and valid dates", () => {
    expect(fromHl7Time("202603040700-0700")).toBe("2026-03-04T14:00:00.000Z");
    expect(fromHl7Time("20260304")).toBe("2026-03-04T00:00:00.000Z");
    expect(["2026030", "20260431", "20261301", "202603042500", ""].map((text) => fromHl7Time(text))).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
    expect([fromHl7Date("19900517"), fromHl7Date("1990"), fromHl7Date("19900230")]).toEqual(["1990-05-17", null, null]);
  });
});

describe("a written HL7 message", () => {
  test("round-trips any content", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (first, second) => {
        const clean = (text: string) =>
          text
            .replaceAll(/\r\n|\r/g, "\n")
            .replaceAll(/[^\P{Cc}\n]/gu, "")
            .trim()
            // HL7 encodes a null value as two quotes.
            .replace(/^""$/, "");
        const written = writeMessage([
          writeSegment("MSH", ["^~\\&"]).replace(/^MSH.*/, "MSH|^~\\&|X"),
          writeSegment("NTE", [first, [second, "end"]]),
        ]);
        const read = parseMessage(written);
        const nte = findSegment(read, "NTE");
        expect(valueAt(read, nte, 1)).toBe(clean(first));
        expect(valueAt(read, nte, 2)).toBe(clean(second));
        expect(valueAt(read, nte, 2, { component: 2 })).toBe("end");
      }),
      { numRuns: 500 },
    );
  });

  test("decodes hexadecimal escapes and drops highlighting escapes", () => {
    expect(unescapeValue("\\H\\caf\\XC3A9\\\\N\\", defaultSeparators)).toBe("café");
    expect(unescapeValue("5\\", defaultSeparators)).toBe("5\\");
  });

  test("contains an order's patient, account, tests, diagnoses, comment and answers", () => {
    const given = createDraft({
      clinical_notes: "Fasting | 8 h",
      icd_codes: ["E11.9"],
      aoe_answers: [{ marker_id: 7, question_id: 1, answer: "Y" }],
      physician: { first_name: "Jo", last_name: "Doe", npi: "1234567893" },
    });
    const order = newOrder(given, createOrderContext("walk_in_test"), ORDERED_AT);
    const placement = toOrderPlacement(given, order.id, { id: order.id, provider_account_id: "1234567890" });
    const submitted = { order, placement, requisition: requisitionNumber(order.id) };
    const written = writeOml(submitted, "NW", { receiver: "quest", control: "C1", at: ORDERED_AT, processing: "T" });
    expect(written.split("\r")).toEqual([
      "MSH|^~\\&|TRIBUTARY||quest||20260302120000+0000||OML^O21^OML_O21|C1|T|2.5.1",
      `PID|1||${order.user_id}^^^TRIBUTARY||Sample^Ada||19900517|F|||West Lincoln Street 1^^Phoenix^AZ^85004^US||+16025550123|||||1234567890`,
      "NTE|1|P|Fasting \\F\\ 8 h",
      "ORC|NW|1111111100004000|||||||20260302120000+0000|||1234567893^Doe^Jo",
      "OBR|1|1111111100004000||483^Glucose^L|R|||||||||||1234567893^Doe^Jo",
      "DG1|1|I10|E11.9^^I10|||W",
      "OBX|1|ST|1^^L||Y||||||O",
      "",
    ]);
  });
});

describe("a FHIR report", () => {
  test("parses with its order, patient and sample, and panels with their members", () => {
    const [read, ...others] = readFhirReports(fhir, "quest");
    expect(others).toEqual([]);
    expect(read).toMatchObject({
      ...about,
      report_id: "F0003",
      status: "corrected",
      reported_at: "2026-03-05T16:00:00.000Z",
      laboratory_name: "Synthetic lab",
    });
    expect(
      read?.observations.map(({ loinc, code, type, value, status, reference_range }) => [
        loinc,
        code,
        type,
        value,
        status,
        reference_range,
      ]),
    ).toEqual([
      ["2345-7", "GLU", "numeric", "92", "corrected", "70-99"],
      ["3094-0", "3094-0", "comment", "", "cancelled", null],
      ["24111-7", "24111-7", "coded_value", "Not detected", "final", "Not detected"],
    ]);
    expect(read?.observations[1]?.note).toBe("Hemolyzed");
    expect(read?.observations[0]).toMatchObject({ test_code: "501", unit: "mg/dL", flag: "N" });
  });

  test("may contain its referenced resources", () => {
    const contained = [
      {
        resourceType: "Observation",
        id: "o",
        status: "final",
        code: { text: "X", coding: [{ code: "X" }] },
        valueInteger: 3,
      },
    ];
    const report = {
      resourceType: "DiagnosticReport",
      id: "r",
      status: "final",
      code: { text: "T" },
      issued: ORDERED_AT,
      result: [{ reference: "#o" }],
      contained,
    };
    expect(readFhirReports(JSON.stringify(report), "quest")[0]).toMatchObject({
      report_id: "r",
      status: "final",
      observations: [{ code: "X", value: "3" }],
    });
  });

  test.each([
    ["that is not JSON", "{", "not valid JSON"],
    ["without a report", '{"resourceType":"Bundle","entry":[]}', "no DiagnosticReport"],
    ["with an invalid resource", fhir.replace('"value": 92', '"value": "92"'), "entry[5]"],
    ["with a dangling reference", fhir.replace('Observation/o3" }]', 'Observation/o9" }]'), "does not contain"],
    ["with cyclic panels", fhir.replace('Observation/o1" }, ', 'Observation/panel" }, '), "contains itself"],
  ])("%s is rejected with the reason", (_, text, why) => {
    expect(() => readFhirReports(text, "quest")).toThrow(ReportRefused);
    expect(() => readFhirReports(text, "quest")).toThrow(why);
  });
});

/** A text with some characters replaced, removed or repeated. */
function damaged(text: string): fc.Arbitrary<string> {
  const change = fc.tuple(
    fc.nat(text.length - 1),
    fc.nat(12),
    fc.string({ maxLength: 6 }),
    fc.constantFrom(...'|^~\\&\r\n{}[]":,0a'),
  );
  return fc
    .array(change, { minLength: 1, maxLength: 4 })
    .map((changes) =>
      changes.reduce(
        (left, [place, length, put, mark]) => left.slice(0, place) + put + mark + left.slice(place + length),
        text,
      ),
    );
}

describe("damaged input", () => {
  /** Parses the input or gets a rejection. Any other error is a crash. */
  function readOrRefused(read: () => readonly LabReport[]): boolean {
    try {
      return read().length > 0;
    } catch (error) {
      if (!(error instanceof ReportRefused)) throw error;
      return false;
    }
  }

  test("in HL7 is always acknowledged", { tags: "deep" }, () => {
    const codes = new Set<string>();
    fc.assert(
      fc.property(fc.oneof(damaged(hl7), damaged(golden("other-separators.hl7")), fc.string()), (text) => {
        const { code, acknowledgement } = receiveOru(text, answer);
        expect(parseMessage(acknowledgement).segments[0]?.name).toBe("MSH");
        codes.add(code);
      }),
      { numRuns: 5_000 },
    );
    expect([...codes].toSorted()).toEqual(["AA", "AE", "AR"]);
  });

  test("in FHIR is always parsed or rejected", { tags: "deep" }, () => {
    let taken = 0;
    const anyJson = fc.json().map((text) => `{"resourceType":"Bundle","entry":[{"resource":${text}}]}`);
    const wrongValue = fc.tuple(fc.nat(60), fc.jsonValue()).map(([place, value]) => exchanged(place, value));
    fc.assert(
      fc.property(fc.oneof(damaged(fhir), wrongValue, anyJson), (text) => {
        if (readOrRefused(() => readFhirReports(text, "quest"))) taken++;
      }),
      { numRuns: 5_000 },
    );
    expect(taken).toBeGreaterThan(50);
  });
});

/** The golden report with one value replaced. */
function exchanged(place: number, value: unknown): string {
  let index = 0;
  return JSON.stringify(JSON.parse(fhir), (_, old: unknown) => (index++ === place + 1 ? value : old)) ?? "null";
}
