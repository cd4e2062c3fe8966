import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { profileOf, toConcept } from "../../../lib/domain/fhir/measure.ts";
import { toSampleObservation } from "../../../lib/domain/fhir/sample-observation.ts";
import { findSampleRow, type SampleRow, sampleRows } from "../../../lib/domain/fhir/sample-rows.ts";
import { systems } from "../../../lib/domain/fhir/systems.ts";
import { isLoincCode } from "../../../lib/domain/lab-tests/loinc-code.ts";
import { cholesterolTypes, getResource, resourceNames } from "../../../lib/domain/timeseries/resources.ts";
import { ucumCodes } from "../../../lib/domain/timeseries/unit-spellings.ts";

/** Returns the codes that are not valid UCUM. In a process of its own, because other tests check what loads the library. */
function findInvalidUnits(codes: readonly string[]): string[] {
  const program = `const { UcumLhcUtils } = require("@lhncbc/ucum-lhc");
    const invalid = (code) => UcumLhcUtils.getInstance().validateUnitString(code).status !== "valid";
    console.log(JSON.stringify(JSON.parse(process.argv[1]).filter(invalid)));`;
  const output = execFileSync(process.execPath, ["-e", program, JSON.stringify(codes)], { encoding: "utf8" });
  // The library also writes to the output.
  return JSON.parse(output.trimEnd().split("\n").at(-1) ?? "");
}
const measuresOf = (row: SampleRow) => [row, ...Object.values(row.parts ?? {})];

const origin = {
  id: "some-id",
  userId: "11111111-1111-4111-8111-111111111111",
  source: { provider: "oura", type: "ring", device_id: "ring-1", app_id: null },
  receivedAt: Date.UTC(2026, 4, 1, 9),
};
const START = Date.UTC(2026, 4, 1, 8);

describe("the mapping of samples", () => {
  test("has a row for every resource, and one for each type of cholesterol", () => {
    expect(new Set(sampleRows.map(({ resource }) => resource))).toEqual(new Set(resourceNames));
    expect(sampleRows).toHaveLength(resourceNames.length + cholesterolTypes.length - 1);
    for (const type of cholesterolTypes) expect(findSampleRow("cholesterol", type)?.code).toBe(`cholesterol.${type}`);
    expect(findSampleRow("cholesterol", "other")).toBeUndefined();
  });

  test("has each code once", () => {
    const codes = sampleRows.flatMap((row) =>
      (toConcept(row).coding ?? []).map(({ system, code }) => `${system}|${code}`),
    );
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });

  test.each(sampleRows)("$code has valid LOINC codes, and the UCUM code of the unit of the ordinary API", (row) => {
    for (const { loinc, ucum, unit } of measuresOf(row)) {
      expect(loinc.filter((one) => !isLoincCode(one))).toEqual([]);
      if (row.resource !== "body_mass_index") expect(ucum).toBe(ucumCodes[unit ?? ""] ?? ucum);
    }
  });

  test("has valid UCUM codes", () => {
    const codes = sampleRows.flatMap(measuresOf).flatMap(({ ucum }) => ucum ?? []);
    expect(findInvalidUnits([...codes, "no unit"])).toEqual(["no unit"]);
  });

  test.each(sampleRows.filter((row) => profileOf(row) !== undefined))(
    "$code follows its vital signs profile: category, code, time, and quantities in UCUM",
    (row) => {
      const fields = { systolic: 120, diastolic: 80, sensor_location: "wrist" };
      const sample = { start: START, end: START + 60_000, value: 50, offsetS: 7_200, type: null, fields };
      const found = toSampleObservation(row, sample, origin);
      expect(found.category[0]?.coding).toEqual([{ system: systems.observationCategory, code: "vital-signs" }]);
      expect(found.meta?.profile).toEqual([`http://hl7.org/fhir/StructureDefinition/${profileOf(row)}`]);
      expect([found.effectiveDateTime, found.effectivePeriod]).toEqual(["2026-05-01T10:00:00+02:00", undefined]);
      const quantities = row.parts ? (found.component ?? []).map((part) => part.valueQuantity) : [found.valueQuantity];
      expect(quantities).toHaveLength(row.parts ? 2 : 1);
      for (const quantity of quantities)
        expect(quantity).toMatchObject({ system: systems.ucum, code: expect.any(String) });
    },
  );

  test.each(sampleRows)("$code keeps type, choices, source and device", (row) => {
    const { fields: rules, type } = getResource(row.resource);
    const choices = rules.filter(({ kind, name }) => kind !== "number" && name !== "sensor_location");
    const fields = Object.fromEntries(
      rules.map((rule) => [
        rule.name,
        rule.kind === "number" ? 1 : rule.kind === "choice" ? rule.values[0]! : [...rule.values],
      ]),
    );
    const given = row.subtype ?? (type.required ? (type.values?.[0] ?? "birch") : null);
    const sample = { start: START, value: 1, offsetS: null, type: given, fields };
    const { component = [], bodySite, meta, device } = toSampleObservation(row, sample, origin);
    const choicesFound = component.flatMap(({ valueCodeableConcept }) => valueCodeableConcept?.coding?.[0]?.code ?? []);
    const ofType = given === null || row.subtype !== undefined ? [] : [`type.${given}`];
    const ofFields = choices.flatMap((rule) => [fields[rule.name]].flat().map((value) => `${rule.name}.${value}`));
    expect(choicesFound).toEqual([...ofType, ...ofFields]);
    const site = fields.sensor_location;
    expect(bodySite?.coding?.[0]?.code).toBe(site === undefined ? undefined : `sensor_location.${site}`);
    expect(meta).toMatchObject({ source: "urn:tributary:provider:oura", lastUpdated: "2026-05-01T09:00:00.000Z" });
    expect(device?.identifier).toEqual({ system: systems.deviceId, value: "ring-1" });
  });
});
