import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { readOrderFile, readTabularList } from "../../../lib/cli/read-diagnoses.ts";
import { DiagnosisCatalogue, isInCodeGroup, parseIcdCode } from "../../../lib/domain/insurance/diagnosis-catalogue.ts";
import { validateDiagnosisCodes } from "../../../lib/domain/insurance/validate-diagnosis-codes.ts";
import { loadDiagnoses } from "../../../lib/services/insurance/diagnoses.ts";

let bundled: DiagnosisCatalogue;
beforeAll(async () => {
  bundled = await loadDiagnoses();
});
const validate = (...codes: string[]) => validateDiagnosisCodes(codes, bundled);

describe("the bundled diagnosis codes", () => {
  test("are about 300 sorted valid codes with descriptions, none a category of another", () => {
    const { codes } = bundled.data;
    expect(codes.length).toBeGreaterThanOrEqual(300);
    expect(codes).toEqual(codes.toSorted());
    const lines = codes.map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const);
    expect(new Set(lines.map(([code]) => code)).size).toBe(codes.length);
    expect(
      lines.filter(([code, text]) => text.length < 3 || !/^[A-Z]\d[0-9A-B](\.[0-9A-Z]{1,4})?$/.test(code)),
    ).toEqual([]);
    const wrong = lines.filter(([code]) => bundled.findCodeProblem(parseIcdCode(code) ?? "") !== undefined);
    expect(wrong).toEqual([]);
  });

  test("are marked as partial, and every rule refers to one of them or its groups", () => {
    expect(bundled.data.is_complete).toBe(false);
    const groups = Object.keys({ ...bundled.data.excludes1, ...bundled.data.excludes2 });
    const codes = bundled.data.codes.map((line) => parseIcdCode(line.slice(0, line.indexOf(" "))) ?? "");
    expect(groups.filter((group) => !codes.some((code) => isInCodeGroup(code, group)))).toEqual([]);
  });
});

describe("a search for diagnoses", () => {
  test("finds codes by prefix, with or without the dot", () => {
    const found = bundled.search("E11").map(({ diagnosis_code }) => diagnosis_code);
    expect(found.length).toBeGreaterThan(5);
    expect(found.every((code) => code.startsWith("E11"))).toBe(true);
    expect(bundled.search("e11.9")).toEqual([
      { diagnosis_code: "E11.9", description: "Type 2 diabetes mellitus without complications", is_secondary: false },
    ]);
    expect(bundled.search("E119")).toEqual(bundled.search("e11.9"));
  });

  test("finds words in any order, by prefix, with a typo", () => {
    const codes = (query: string) => bundled.search(query).map(({ diagnosis_code }) => diagnosis_code);
    expect(codes("deficiency vitamin d")).toContain("E55.9");
    expect(codes("hypothyriodism unspec")).toContain("E03.9");
    expect(codes("nothing like that")).toEqual([]);
    expect(codes("--")).toEqual([]);
    expect(bundled.search("insulin long term")[0]).toMatchObject({ diagnosis_code: "Z79.4", is_secondary: true });
  });

  test("returns at most 50", () => {
    expect(bundled.search("unspecified")).toHaveLength(50);
  });
});

describe("a check of diagnosis codes", () => {
  test("accepts compatible codes, and codes missing from the partial catalogue", () => {
    const nothing = { valid: true, errors: [], violations: [], warnings: [] };
    expect(validate("E11.9", "i10", "Z79.4", "S72.001A")).toEqual(nothing);
    expect(validate()).toEqual(nothing);
    expect(validate("E11.9", "E119")).toEqual(nothing);
  });

  test.each(["E11.", "11.9", "EE1.9", "E11.9.1", "E1", "E11.12345", "T36.0X", "E11-9", "", "E11.9; I10"])(
    "reports the position of the malformed code %j",
    (code) => {
      const { valid, errors } = validate("I10", code);
      expect([valid, errors]).toEqual([false, ["codes[1] is not in the form of an ICD-10-CM code"]]);
    },
  );

  test("rejects a category", () => {
    expect(validate("E11").errors).toEqual(["codes[0] is a category, not a diagnosis: use a longer code"]);
  });

  test("reports each mutually exclusive pair once, in any order", () => {
    const { valid, violations } = validate("E11.65", "E10.9", "I10");
    expect([valid, violations]).toEqual([false, [{ code: "E11.65", conflicts_with: "E10.9", type: "excludes1" }]]);
    expect(validate("R73.03", "E11.9").violations).toHaveLength(1);
    expect(validate("E11.9", "R73.03").violations).toHaveLength(1);
    expect(validate("K50.90", "K51.90").valid).toBe(false);
    expect(validate("E11.9", "E11.65").valid).toBe(true);
  });

  test("warns about pairs that are unusual together", () => {
    expect(validate("I10", "I63.9")).toMatchObject({
      valid: true,
      violations: [],
      warnings: [{ code: "I10", overlaps_with: "I63.9", type: "excludes2" }],
    });
  });
});

describe("a CMS release", () => {
  const orderLine = (number: string, code: string, flag: string, text: string) =>
    `${number} ${code.padEnd(8)}${flag} ${text.slice(0, 60).padEnd(60)} ${text}`;

  test("provides reportable codes with their long descriptions", () => {
    const lines = [
      orderLine("00001", "E11", "0", "Type 2 diabetes mellitus"),
      orderLine("00002", "E119", "1", "Type 2 diabetes mellitus without complications"),
      orderLine(
        "00003",
        "T360X1A",
        "1",
        "Poisoning by penicillins, accidental (unintentional), initial encounter, and more",
      ),
    ];
    expect(readOrderFile(lines.join("\r\n"))).toEqual([
      "E11.9 Type 2 diabetes mellitus without complications",
      "T36.0X1A Poisoning by penicillins, accidental (unintentional), initial encounter, and more",
    ]);
    expect(() => readOrderFile(`${lines[0]}\nE11.9 diabetes`)).toThrow("line 2: not a line of an ICD-10-CM order file");
  });

  test("provides the rules of codes, sections and chapters", () => {
    const tabular = readFileSync("test/unit/insurance/tabular.xml", "utf8");
    expect(readTabularList(tabular)).toEqual({
      excludes1: { "E00-E89": ["P70-P74"], "E08-E13": ["Z99"], E11: ["E08", "O24.4", "E10"], "E11.6": ["E16.2"] },
      excludes2: { E11: ["I60-I69"] },
      secondary: ["E08"],
    });
    expect(() => readTabularList("<a><b></a>")).toThrow();
  });

  test("has no unknown code when it is complete", () => {
    const data = { release: "a test", is_complete: true, secondary: [], excludes1: {}, excludes2: {} };
    const whole = new DiagnosisCatalogue({ ...data, codes: ["E11.9 Type 2 diabetes mellitus without complications"] });
    expect(validateDiagnosisCodes(["E11.9", "I10"], whole).errors).toEqual(["codes[1] is not a code of a test"]);
  });
});
