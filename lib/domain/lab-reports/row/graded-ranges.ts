import { isRange } from "./read-range.ts";

/** The name of a grade and its range, `Sufficient: 30 - 100`. */
const GRADE = /^(\p{L}[\p{L}\s/-]{1,38}):\s*(\S.*)$/u;
/** Names of normal grades. */
const NORMAL_GRADE =
  /^(?:normal|non[- ]?(?:diabetic|deficient|reactive)|desirable|optimal|ideal|sufficient|sufficiency|adequate|acceptable|healthy|usual|negative|no risk|low risk|low to average risk|average risk)$/iu;

/** Reports whether a text is a line of a graded range. */
export const isGradeText = (text: string): boolean => parseGrade(text) !== null;

function parseGrade(text: string): { readonly name: string; readonly range: string } | null {
  const [, name = "", range = ""] = GRADE.exec(text.trim()) ?? [];
  return range !== "" && isRange(range) ? { name: name.trim(), range } : null;
}

/** The range of the only normal grade among the lines of a graded range; null if none or several are normal. */
export function normalGradeRange(lines: readonly string[]): string | null {
  const grades = lines.flatMap((line) => parseGrade(line) ?? []);
  const usual = grades.filter(({ name }) => NORMAL_GRADE.test(name));
  return grades.length > 1 && usual.length === 1 ? (usual[0]?.range ?? null) : null;
}
