import { describe, expect, test } from "vitest";
import {
  digestMessage,
  digestReport,
  isProgressReport,
  type LabReport,
} from "../../../lib/domain/results/lab-report.ts";
import { mergeReport } from "../../../lib/domain/results/result-record.ts";
import { receiveMessages } from "../../../lib/labs/receive-messages.ts";

const context = { lab: "quest", control: "A1", at: "2026-03-04T22:00:00.000Z", processing: "T" } as const;

const MSH = "MSH|^~\\&|LIS|LAB|TRIBUTARY||20260304143000-0700||ORU^R01|M1|P|2.3";
const PID = "PID|1||P-77||Sample^Ada||19900517|F";
const obr = (fields = "|REQ1|F1|80053^Panel^L|||20260304070000|||||||||||||||20260304142500|||F") => `OBR|1${fields}`;
const obx = (kind: string, code: string, subId: string, value: string, { unit = "", flag = "", status = "F" } = {}) =>
  `OBX|1|${kind}|${code}|${subId}|${value}|${unit}||${flag}|||${status}`;
const hl7 = (...segments: readonly string[]) => segments.join("\r");
const receive = (text: string) => receiveMessages(text, context);

/** The reports of a text whose messages are all accepted. */
function reportsOf(text: string): LabReport[] {
  const { messages } = receive(text);
  expect(messages.map(({ refusal }) => refusal)).toEqual(messages.map(() => undefined));
  return messages.flatMap(({ reports }) => reports);
}

const valuesOf = (...segments: readonly string[]) =>
  reportsOf(hl7(MSH, PID, obr(), ...segments)).flatMap(({ observations }) => observations);

describe("HL7 messages of several patients, orders and messages", () => {
  test("become one report for each order of each patient", () => {
    const second = "PID|2||P-78||Other^Bo||19800101|M";
    const text = hl7(
      ...[MSH, PID, obr(), obx("NM", "2345-7^Glucose^LN", "", "90"), obr("|REQ2|F2|700^Other^L")],
      ...[obx("NM", "1988-5^CRP^LN", "", "1"), obr("|||900^Reflex^L"), obx("NM", "3094-0^Urea^LN", "", "2")],
      ...[second, "ORC|RE|REQ3|F3", obr("||F3|1^A^L"), obx("NM", "2345-7^Glucose^LN", "", "80")],
    );
    expect(
      reportsOf(text).map(({ requisition, report_id, patient, observations }) => [
        requisition,
        report_id,
        patient.patient_id,
        observations.map(({ loinc, value }) => `${loinc}=${value}`),
      ]),
    ).toEqual([
      ["REQ1", "F1", "P-77", ["2345-7=90"]],
      ["REQ2", "F2", "P-77", ["1988-5=1", "3094-0=2"]],
      ["REQ3", "F3", "P-78", ["2345-7=80"]],
    ]);
  });

  test("have the sample number of the specimen, else of the laboratory, and never that of the message", () => {
    const of = (...segments: readonly string[]) => reportsOf(hl7(MSH, PID, ...segments, "OBX|1|NM|1^A||1|||N|||F"))[0]!;
    const unnumbered = obr("|REQ1||80053^Panel^L|||20260304070000|||||||||||||||20260304142500|||F");
    const numbers = [of("SPM|1|S1", obr(), "SPM|1|S1"), of(obr()), of("ORC|RE|REQ1|F3", unnumbered), of(unnumbered)];
    expect(numbers.map(({ report_id, sample_id }) => [report_id, sample_id])).toEqual([
      ["F1", "S1"],
      ["F1", "F1"],
      ["F3", "F3"],
      ["M1", null],
    ]);
    const earlier = { ...of(unnumbered), sample_id: "M1" };
    expect(digestMessage(of(unnumbered), "M1")).toBe(digestReport(earlier));
  });

  test("in a batch file are acknowledged one by one, within a batch", () => {
    const one = hl7(MSH, PID, obr(), obx("NM", "2345-7^Glucose^LN", "", "90"));
    const two = hl7(MSH.replace("|M1|", "|M2|"), obr());
    const text = hl7("FHS|^~\\&|LIS", "BHS|^~\\&|LIS|LAB|||20260304||||B-9", one, two, "BTS|2", "FTS|1");
    const { messages, answer } = receive(text);
    expect(messages.map(({ control, refusal }) => [control, refusal])).toEqual([
      ["M1", undefined],
      ["M2", "AE"],
    ]);
    const lines = answer(messages.map((message) => message.answer())).split("\r");
    expect(lines.map((line) => line.split("|").slice(0, 3).join("|"))).toEqual([
      "BHS|^~\\&|TRIBUTARY",
      "MSH|^~\\&|TRIBUTARY",
      "MSA|AA|M1",
      "MSH|^~\\&|TRIBUTARY",
      "MSA|AE|M2",
      "ERR||",
      "BTS|2",
      "",
    ]);
    expect(lines[0]).toMatch(/\|A1\|B-9$/);
  });

  test("may follow each other without a batch header, each framed for MLLP", () => {
    const one = hl7(MSH, PID, obr(), obx("NM", "2345-7^Glucose^LN", "", "90"));
    expect(reportsOf(`\u000b${one}\u001c\r\u000b${one}\u001c\r`)).toHaveLength(2);
  });
});

describe("an HL7 header", () => {
  const body = [PID, obr(), obx("NM", "2345-7^Glucose^LN", "", "90")];

  test.each([
    ["with a truncation character", MSH.replace("^~\\&", "^~\\&#").replace("2.3", "2.7")],
    ["with fewer encoding characters", MSH.replace("^~\\&", "^~")],
    ["without an event", MSH.replace("ORU^R01", "ORU")],
    ["with a message structure", MSH.replace("ORU^R01", "ORU^R01^ORU_R01")],
    ["after a byte order mark", `\ufeff${MSH}`],
  ])("%s is accepted", (_, header) => {
    expect(reportsOf(hl7(header, ...body))).toHaveLength(1);
  });

  test("gives its offset to times without one", () => {
    expect(reportsOf(hl7(MSH, ...body))[0]).toMatchObject({
      collected_at: "2026-03-04T14:00:00.000Z",
      reported_at: "2026-03-04T21:25:00.000Z",
    });
  });
});

describe("HL7 values", () => {
  test.each([
    ["NM", "+5.0", "numeric", "5.0"],
    ["NM", ".5", "numeric", "0.5"],
    ["SI", "3", "numeric", "3"],
    ["SN", "^7.5", "numeric", "7.5"],
    ["SN", ">^100", "numeric", ">100"],
    ["SN", "^1^:^128", "comment", "1:128"],
    ["SN", "^0^-^1", "range", "0-1"],
    ["SN", "^2^+", "comment", "2+"],
    ["ST", "10^3 units", "comment", "10^3 units"],
    ["ST", "< 0.5", "numeric", "< 0.5"],
    ["TX", "Line one~Line two", "comment", "Line one\nLine two"],
    ["FT", "One\\.br\\Two\\.sp2\\Three\\.sk 3\\Four", "comment", "One\nTwo\n\nThree   Four"],
    ["CWE", "260385009^Negative^SCT", "coded_value", "Negative"],
    ["CNE", "P^Positive^HL70078", "coded_value", "Positive"],
    ["CE", "A^One^L~B^Two^L", "coded_value", "One\nTwo"],
    ["CE", "POS", "coded_value", "POS"],
    ["IS", "POS", "comment", "POS"],
    ["DT", "20260304", "comment", "2026-03-04"],
    ["TS", "20260304070000-0700", "comment", "2026-03-04T14:00:00.000Z"],
    ["TM", "0830", "comment", "08:30"],
    ["NA", "1^2^3", "comment", "1, 2, 3"],
    ["XCN", "1234^Doe^Jo", "comment", "1234 Doe Jo"],
    ["", "", "comment", ""],
  ])("of type %s: %s", (kind, written, type, value) => {
    expect(valuesOf(obx(kind, "X^Name^L", "", written))).toMatchObject([{ type, value }]);
  });

  test("of a composite quantity have its unit", () => {
    expect(valuesOf(obx("CQ", "X^Name^L", "", "7.5^mg/dL"))).toMatchObject([{ value: "7.5", unit: "mg/dL" }]);
  });

  test("in Latin-1 escapes are decoded", () => {
    expect(valuesOf(obx("ST", "X^Name^L", "", "caf\\XE9\\ \\XC3A9\\"))).toMatchObject([{ value: "café é" }]);
  });

  test("that are files or repeat the order are no observations", () => {
    const file = obx("ED", "PDF^Report^L", "", "^application^pdf^Base64^JVBERi0=");
    expect(valuesOf(file, obx("ST", "Q^Fasting^L", "", "Y", { status: "O" }))).toEqual([]);
  });

  test("keep all flags, notes over several lines, and a name without a code", () => {
    const value = obx("NM", "^Urine colour index", "", "3", { flag: "H~HH" });
    expect(valuesOf(value, "NTE|1|L|First~Second", "NTE|2|L|Third")).toMatchObject([
      { code: "Urine colour index", flag: "H~HH", note: "First\nSecond\nThird" },
    ]);
  });
});

describe("HL7 observations of one code", () => {
  test("that are lines of a text become one text", () => {
    const lines = ["Diagnosis:", "Benign tissue.", "Second opinion advised."];
    expect(valuesOf(...lines.map((line) => obx("TX", "22637-3^Pathology^LN", "", line)))).toMatchObject([
      { value: lines.join("\n"), type: "comment", status: "final" },
    ]);
  });

  test("with different sub-ids are all kept, also beside their preliminary values", () => {
    const isolate = (subId: string, words: string, status: string) =>
      obx("CE", "634-6^Bacteria identified^LN", subId, `^${words}^L`, { status });
    const report = (status: string, ...segments: readonly string[]) =>
      reportsOf(
        hl7(
          MSH,
          PID,
          obr(`|REQ1|F1|634-6^Culture^L||||||||||||||||||2026030414${status === "P" ? 1 : 2}0|||${status}`),
          ...segments,
        ),
      )[0];
    const first = report("P", isolate("1", "Gram negative rods", "P"));
    const last = report("F", isolate("1", "Escherichia coli", "F"), isolate("2", "Proteus mirabilis", "F"));
    const record = [first!, last!].reduce<ReturnType<typeof mergeReport> | undefined>(
      (merged, one) => mergeReport(merged, "order", one),
      undefined,
    );
    expect(record?.observations.map(({ value, sub_id, status }) => [value, sub_id, status])).toEqual([
      ["Escherichia coli", undefined, "final"],
      ["Proteus mirabilis", "2", "final"],
    ]);
  });

  test("with a deleted value beside the corrected one keep the corrected one", () => {
    const values = valuesOf(
      obx("NM", "2345-7^Glucose^LN", "", "90", { status: "D" }),
      obx("NM", "2345-7^Glucose^LN", "", "99", { status: "C" }),
    );
    expect(values).toMatchObject([{ value: "99", status: "corrected" }]);
    expect(values[0]?.sub_id).toBeUndefined();
  });
});

describe("a request that was reported in error", () => {
  test("withdraws its own values and corrects the report of its order", () => {
    const request = (code: string, status: string) =>
      obr(`|REQ1|F1|${code}^Test^L||||||||||||||||||20260304|||${status}`);
    const [read] = reportsOf(
      hl7(
        MSH,
        PID,
        request("1", "D"),
        obx("NM", "2345-7^Glucose^LN", "", "90"),
        request("2", "F"),
        obx("NM", "3094-0^Urea^LN", "", "12"),
      ),
    );
    expect(read?.status).toBe("corrected");
    expect(read?.observations.map(({ loinc, status }) => [loinc, status])).toEqual([
      ["2345-7", "withdrawn"],
      ["3094-0", "final"],
    ]);
  });
});

test("the middle names of a patient are in PID-5.3", () => {
  const patientOf = (name: string) => reportsOf(hl7(MSH, PID.replace("Sample^Ada", name), obr()))[0]?.patient;
  expect(patientOf("Sample^Mary^Ann")).toMatchObject({ first_name: "Mary", middle_names: "Ann", last_name: "Sample" });
  expect(patientOf("Sample^Mary Ann")).not.toHaveProperty("middle_names");
});

describe("an HL7 report without a value", () => {
  const requested = (status: string, requisition = "REQ1") =>
    obr(`|${requisition}|F1|1^A^L||||||||||||||||||20260304|||${status}`);
  const glucose = obx("NM", "2345-7^Glucose^LN", "", "90");
  const attachment = obx("ED", "11502-2^Report^LN", "", "^AP^^Base64^JVBERg==");

  test.each(["O", "I", "S", "N", "A", "P", "R", "M", "o"])("states progress with the status %s", (status) => {
    const [read] = reportsOf(hl7(MSH, PID, requested(status), requested("X"), attachment));
    expect([read?.status, read && isProgressReport(read)]).toEqual(["partial", true]);
  });

  test("is refused if all its requests are cancelled", () => {
    const { messages } = receive(hl7(MSH, PID, requested("X"), requested("x"), attachment));
    expect(messages.map(({ refusal, reports }) => [refusal, reports])).toEqual([["AE", []]]);
    expect(messages[0]?.answer()).toContain("The report was cancelled.");
  });

  test("is a result beside a cancelled request, also if the value is one that the laboratory does not report", () => {
    const states = [
      [requested("X"), requested("F"), glucose],
      [requested("X"), obx("NM", "2345-7^Glucose^LN", "", "", { status: "X" })],
      [requested("F")],
    ].map((segments) => reportsOf(hl7(MSH, PID, ...segments)).map((read) => [read.status, isProgressReport(read)]));
    expect(states).toEqual(Array(3).fill([["final", false]]));
  });

  test("is left out beside the report of another order", () => {
    const reports = reportsOf(hl7(MSH, PID, requested("X"), requested("F", "REQ2"), glucose));
    expect(reports.map(({ requisition }) => requisition)).toEqual(["REQ2"]);
  });
});

describe("the status of an HL7 report", () => {
  test.each([
    ["that of its requests", "|REQ1|F1|1^A^L||||||||||||||||||20260304|||P", "F", "partial"],
    ["that of its observations without one", "|REQ1|F1|1^A^L||||||||||||||||||20260304", "P", "partial"],
    ["corrected if an observation was", "|REQ1|F1|1^A^L||||||||||||||||||20260304", "C", "corrected"],
    ["corrected if a value is withdrawn", "|REQ1|F1|1^A^L||||||||||||||||||20260304|||F", "W", "corrected"],
    ["withdrawn if all its requests are", "|REQ1|F1|1^A^L||||||||||||||||||20260304|||W", "F", "withdrawn"],
    ["else final", "|REQ1|F1|1^A^L||||||||||||||||||20260304", "F", "final"],
  ])("is %s", (_, request, status, expected) => {
    const text = hl7(MSH, PID, obr(request), obx("NM", "2345-7^Glucose^LN", "", "90", { status }));
    expect(reportsOf(text)[0]?.status).toBe(expected);
  });
});
