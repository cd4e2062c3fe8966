import { isRange } from "./read-range.ts";

/** A name of a grade and the numbers for which it stands, `Sufficient: 30 - 100`. */
const GRADE = /^(\p{L}[\p{L}\s/-]{1,38}):\s*(\S.*)$/u;
/** Grades that are as they should be. */
const USUAL =
  /^(?:normal|non[- ]?(?:diabetic|deficient|reactive)|desirable|optimal|ideal|sufficient|sufficiency|adequate|acceptable|healthy|usual|negative|no risk|low risk|low to average risk|average risk)$/iu;

/** Whether a text is one of the lines of a list of grades. */
export const isGradeLine = (text: string): boolean => gradeIn(text) !== null;

function gradeIn(text: string): { readonly name: string; readonly range: string } | null {
  const [, name = "", range = ""] = GRADE.exec(text.trim()) ?? [];
  return range !== "" && isRange(range) ? { name: name.trim(), range } : null;
}

/** The numbers of the one grade that is as it should be, of the lines of a list; null where none or more than one is. */
export function usualGrade(lines: readonly string[]): string | null {
  const grades = lines.flatMap((line) => gradeIn(line) ?? []);
  const usual = grades.filter(({ name }) => USUAL.test(name));
  return grades.length > 1 && usual.length === 1 ? (usual[0]?.range ?? null) : null;
}
