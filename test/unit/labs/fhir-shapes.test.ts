import { describe, expect, test } from "vitest";
import { isProgressReport } from "../../../lib/domain/results/lab-report.ts";
import { readFhirReports } from "../../../lib/labs/fhir/read-fhir-reports.ts";

const observation = (id: string, content: object) => ({
  resourceType: "Observation",
  id,
  status: "final",
  code: { text: id },
  ...content,
});

const report = (content: object, ...observations: readonly { readonly id: string }[]) => ({
  resourceType: "DiagnosticReport",
  id: "r",
  status: "final",
  code: { text: "Panel" },
  issued: "2026-03-04T14:00:00Z",
  result: observations.map(({ id }) => ({ reference: `Observation/${id}` })),
  ...content,
});

const bundle = (...resources: readonly (object | undefined)[]) =>
  JSON.stringify({ resourceType: "Bundle", type: "transaction", entry: resources.map((resource) => ({ resource })) });

const valuesOf = (...observations: readonly { readonly id: string }[]) =>
  readFhirReports(bundle(report({}, ...observations), ...observations), "quest")[0]?.observations ?? [];

describe("values of FHIR Observations", () => {
  test.each([
    ["valueBoolean", true, "comment", "yes"],
    ["valueRatio", { numerator: { value: 1 }, denominator: { value: 128 } }, "comment", "1:128"],
    ["valueDateTime", "2026-03", "comment", "2026-03"],
    ["valueTime", "08:30:00", "comment", "08:30:00"],
    ["valuePeriod", { start: "2026-03-01", end: "2026-03-02" }, "comment", "2026-03-01 to 2026-03-02"],
    ["valueRange", { low: { value: 0 }, high: { value: 5 } }, "range", "0-5"],
    ["valueCodeableConcept", { coding: [{ code: "260385009", display: "Negative" }] }, "coded_value", "Negative"],
    ["valueString", "Clear", "comment", "Clear"],
  ])("%s is read", (name, value, type, text) => {
    expect(valuesOf(observation("o", { [name]: value }))).toMatchObject([{ type, value: text }]);
  });

  test("keep the digits that the laboratory wrote", () => {
    const text = bundle(report({}, { id: "o" }), observation("o", { valueQuantity: { value: 0, unit: "mmol/L" } }));
    const written = (digits: string) => text.replace('"value":0', `"value":${digits}`);
    const values = ["5.10", "1e-7", "2E3", "-0.50"].map(
      (digits) => readFhirReports(written(digits), "quest")[0]?.observations[0]?.value,
    );
    expect(values).toEqual(["5.10", "1e-7", "2000", "-0.50"]);
  });

  test("of components become observations, and a panel keeps its own value", () => {
    const components = [
      {
        code: { coding: [{ system: "http://loinc.org", code: "8480-6" }] },
        valueQuantity: { value: 120, unit: "mmHg" },
      },
      {
        code: { coding: [{ system: "http://loinc.org", code: "8462-4" }] },
        valueQuantity: { value: 80, unit: "mmHg" },
      },
    ];
    const members = [observation("m", { valueInteger: 1 })];
    expect(valuesOf(observation("bp", { component: components })).map(({ loinc, value }) => [loinc, value])).toEqual([
      ["8480-6", "120"],
      ["8462-4", "80"],
    ]);
    const panel = observation("panel", { valueString: "Abnormal", hasMember: [{ reference: "Observation/m" }] });
    const text = bundle(report({}, panel), panel, ...members);
    expect(readFhirReports(text, "quest")[0]?.observations.map(({ code, value }) => [code, value])).toEqual([
      ["panel", "Abnormal"],
      ["m", "1"],
    ]);
  });

  test("of panels that name all panels of the next level are read once each", () => {
    const levels = Array.from({ length: 5 }, (_, level) =>
      Array.from({ length: 100 }, (_, place) => {
        const members = level === 4 ? [] : Array.from({ length: 100 }, (_, next) => `Observation/${level + 1}-${next}`);
        return observation(`${level}-${place}`, {
          valueInteger: 1,
          hasMember: members.map((reference) => ({ reference })),
        });
      }),
    ).flat();
    expect(readFhirReports(bundle(report({}, ...levels), ...levels), "quest")[0]?.observations).toHaveLength(500);
  });

  test("of one code are all kept, and one that is listed twice is kept once", () => {
    const isolates = ["Escherichia coli", "Proteus mirabilis"].map((valueString, place) =>
      observation(`i${place}`, { code: { text: "Isolate" }, valueString }),
    );
    expect(valuesOf(...isolates, isolates[0]!).map(({ value, sub_id }) => [value, sub_id])).toEqual([
      ["Escherichia coli", undefined],
      ["Proteus mirabilis", "2"],
    ]);
  });
});

describe("FHIR messages", () => {
  test("are refused if panels name each other", () => {
    const count = 4_999;
    const panels = Array.from({ length: count }, (_, place) =>
      observation(`p${place}`, {
        hasMember: [1, 2, 3, count - 1].map((step) => ({ reference: `Observation/p${(place + step) % count}` })),
      }),
    );
    expect(() => readFhirReports(bundle(report({}, ...panels), ...panels), "quest")).toThrow(/nested too deeply/);
    const pairs = panels.map((one, place) => ({ ...one, hasMember: [{ reference: `Observation/p${place ^ 1}` }] }));
    expect(() => readFhirReports(bundle(report({}, ...pairs), ...pairs), "quest")).toThrow(/contains itself/);
  });

  test("are refused if their reports share more observations than a message can name", { tags: "deep" }, () => {
    const members = Array.from({ length: 4_900 }, (_, place) => observation(`m${place}`, { valueInteger: place }));
    const panel = observation("panel", { hasMember: members.map(({ id }) => ({ reference: `Observation/${id}` })) });
    const reports = (count: number) => Array.from({ length: count }, (_, place) => report({ id: `r${place}` }, panel));
    expect(readFhirReports(bundle(...reports(10), panel, ...members), "quest")).toHaveLength(10);
    expect(() => readFhirReports(bundle(...reports(50), panel, ...members), "quest")).toThrow(/too many observations/);
  });

  test("are refused if they share a panel that repeats its members too often", { tags: "deep" }, () => {
    const member = observation("member", { valueString: "Negative" });
    const panel = observation("panel", { hasMember: Array(20_000).fill({ reference: "Observation/member" }) });
    const reports = (count: number) => Array.from({ length: count }, (_, place) => report({ id: `r${place}` }, panel));
    expect(readFhirReports(bundle(...reports(10), panel, member), "quest")).toHaveLength(10);
    expect(() => readFhirReports(bundle(...reports(50), panel, member), "quest")).toThrow(/too many observations/);
  });

  test("keep contained resources of their reports apart", () => {
    const own = (id: string, family: string) =>
      report({
        id,
        subject: { reference: "#p" },
        contained: [{ resourceType: "Patient", id: "p", name: [{ family }] }],
      });
    const read = readFhirReports(bundle(own("a", "First"), own("b", "Second")), "quest");
    expect(read.map(({ report_id, patient }) => [report_id, patient.last_name])).toEqual([
      ["a", "First"],
      ["b", "Second"],
    ]);
  });

  test("may have partial dates, periods, versions in references, and entries without a resource", () => {
    const text = bundle(
      report({
        subject: { reference: "Patient/p/_history/3" },
        specimen: [{ reference: "Specimen/s" }],
        performer: [{ reference: "Organization/l" }],
      }),
      { resourceType: "Patient", id: "p", birthDate: "1990-05", identifier: [{ system: "x" }, { value: "P-1" }] },
      { resourceType: "Specimen", id: "s", collection: { collectedPeriod: { start: "2026-03-04T07:00:00-07:00" } } },
      { resourceType: "Organization", id: "l", name: "Main laboratory" },
      undefined,
    );
    expect(readFhirReports(text, "quest")[0]).toMatchObject({
      patient: { dob: null, patient_id: "P-1" },
      collected_at: "2026-03-04T14:00:00.000Z",
      laboratory_name: "Main laboratory",
    });
  });

  test.each([
    ["2026-03-04", "2026-03-04T00:00:00.000Z"],
    ["2026-03-04T08:00", "2026-03-04T08:00:00.000Z"],
  ])("collected at %s", (effectiveDateTime, collected_at) => {
    expect(readFhirReports(bundle(report({ effectiveDateTime })), "quest")[0]).toMatchObject({ collected_at });
  });

  test("are partial with an unknown status, withdrawn if entered in error, and refused if cancelled", () => {
    expect(readFhirReports(bundle(report({ status: "unknown" })), "quest")[0]?.status).toBe("partial");
    expect(readFhirReports(bundle(report({ status: "entered-in-error" })), "quest")[0]?.status).toBe("withdrawn");
    expect(() => readFhirReports(bundle(report({ status: "cancelled" })), "quest")).toThrow("cancelled");
  });

  test("may name a patient by several given names", () => {
    const patient = { resourceType: "Patient", id: "p", name: [{ family: "Sample", given: ["Mary", "Ann"] }] };
    const text = bundle(report({ subject: { reference: "Patient/p" } }), patient);
    const named = { first_name: "Mary", middle_names: "Ann", last_name: "Sample" };
    expect(readFhirReports(text, "quest")[0]?.patient).toMatchObject(named);
  });

  test("state progress while they have no Observation, unless they are final", () => {
    const value = observation("o", { valueString: "Negative" });
    const isProgress = (status: string, ...observations: (typeof value)[]) =>
      readFhirReports(bundle(report({ status }, ...observations), ...observations), "quest").map(isProgressReport);
    for (const status of ["registered", "partial", "preliminary"]) {
      expect([status, isProgress(status), isProgress(status, value)]).toEqual([status, [true], [false]]);
    }
    expect(isProgress("final")).toEqual([false]);
  });

  test("are corrected by an Observation that was entered in error", () => {
    const [wrong, right] = [
      observation("wrong", { status: "entered-in-error", valueString: "Positive" }),
      observation("right", { valueString: "Negative" }),
    ];
    const [read] = readFhirReports(bundle(report({}, wrong, right), wrong, right), "quest");
    expect([read?.status, read?.observations.map(({ status }) => status)]).toEqual([
      "corrected",
      ["withdrawn", "final"],
    ]);
  });
});

test("the timestamp of a Bundle is when its reports were sent", () => {
  const o = observation("o", { valueString: "Clear" });
  const sentAt = (timestamp: unknown) =>
    readFhirReports(JSON.stringify({ ...JSON.parse(bundle(report({}, o), o)), timestamp }), "quest")[0]?.sent_at;
  expect(sentAt("2026-03-05T08:00:00+02:00")).toBe("2026-03-05T06:00:00.000Z");
  for (const unknown of [undefined, "yesterday", 5, null]) expect(sentAt(unknown)).toBeUndefined();
});
