import * as z from "zod";
import {
  type DiagnosisCatalogue,
  type DiagnosisData,
  formatIcdCode,
  isInCodeGroup,
  parseIcdCode,
} from "./diagnosis-catalogue.ts";

const code = z.string();

/** Validation of a list of diagnosis codes: errors by index, violations of Excludes1 and warnings of Excludes2. */
export const wireDiagnosisValidation = z
  .object({
    valid: z.boolean(),
    errors: z.array(z.string()),
    violations: z.array(z.object({ code, conflicts_with: code, type: z.string() })),
    warnings: z.array(z.object({ code, overlaps_with: code, type: z.string() })),
  })
  .meta({ id: "DiagnosisValidation" });

type Excludes = DiagnosisData["excludes1"];
type Pair = readonly [code: string, other: string];

/** Pairs of codes that an exclusion of either code applies to, each once, in the order of the list. */
function excludedPairs(codes: readonly string[], excludes: Excludes): Pair[] {
  const speaks = (code: string, other: string) =>
    Object.entries(excludes).some(
      ([group, others]) => isInCodeGroup(code, group) && others.some((one) => isInCodeGroup(other, one)),
    );
  return codes.flatMap((code, index) =>
    codes
      .slice(index + 1)
      .flatMap((other): Pair[] => (speaks(code, other) || speaks(other, code) ? [[code, other]] : [])),
  );
}

/** Validates the form of codes, rejects categories and unknown codes, and finds pairs that exclude each other. */
export function validateDiagnosisCodes(
  given: readonly string[],
  diagnoses: DiagnosisCatalogue,
): z.output<typeof wireDiagnosisValidation> {
  const read = given.map(parseIcdCode);
  const errors = read.flatMap((code, index) => {
    const problem = code === undefined ? "is not in the form of an ICD-10-CM code" : diagnoses.findCodeProblem(code);
    return problem === undefined ? [] : [`codes[${index}] ${problem}`];
  });
  const codes = [...new Set(read.filter((code) => code !== undefined))];
  const { excludes1, excludes2 } = diagnoses.data;
  const violations = excludedPairs(codes, excludes1).map(([code, other]) => ({
    code: formatIcdCode(code),
    conflicts_with: formatIcdCode(other),
    type: "excludes1",
  }));
  const warnings = excludedPairs(codes, excludes2).map(([code, other]) => ({
    code: formatIcdCode(code),
    overlaps_with: formatIcdCode(other),
    type: "excludes2",
  }));
  return { valid: errors.length === 0 && violations.length === 0, errors, violations, warnings };
}
