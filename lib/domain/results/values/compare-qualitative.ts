import { foldPhrase, gradeOf, type QualitativeGrade, splitPhrases, UNUSUAL_COLOUR } from "./qualitative-grade.ts";

/** The outcome of a comparison; null if the two cannot be compared. */
type Outcome = "normal" | "abnormal" | null;

/**
 * Compares a qualitative result with the expected one. Words that mean the same are normal (`Non-Reactive` where
 * `Negative` is expected), and so is one of several expected words (`Trace` in `Neg/Trace`). Opposites are abnormal, and
 * so is more than expected on one scale. All else cannot be compared.
 */
export function compareQualitative(value: string, expected: string): Outcome {
  if (foldPhrase(value) === foldPhrase(expected)) return "normal";
  const wanted = splitPhrases(expected);
  const outcomes = new Set(splitPhrases(value).map((phrase) => comparePhrase(phrase, wanted)));
  return outcomes.size === 1 ? ([...outcomes][0] ?? null) : null;
}

/** Reports whether words state absence, such as `None seen`. */
export const isAbsence = (value: string): boolean => {
  const phrases = splitPhrases(value);
  return phrases.length > 0 && phrases.every((phrase) => gradeOf(phrase)?.kind === "none");
};

/** The outcome that words state without any expectation: `Normal`, `Abnormal`. */
export function readFinding(value: string): Outcome {
  const grade = gradeOf(foldPhrase(value));
  if (grade?.kind !== "finding") return null;
  return grade.rank > 0 ? "normal" : "abnormal";
}

function comparePhrase(phrase: string, wanted: readonly string[]): Outcome {
  if (wanted.includes(phrase)) return "normal";
  const finding = readFinding(phrase);
  if (finding !== null) return finding;
  const grade = gradeOf(phrase);
  const grades = wanted.map(gradeOf);
  const known = grades.filter((one) => one !== undefined);
  if (!grade || known.length === 0) return null;
  const outcome = compareGrade(grade, known);
  // An unknown alternative may include the value, but cannot exclude it.
  return outcome === "abnormal" && known.length < grades.length ? null : outcome;
}

function compareGrade(grade: QualitativeGrade, wanted: readonly QualitativeGrade[]): Outcome {
  if (grade.kind === "none") return compareAbsence(wanted);
  if (grade.kind === "some") return compareAmount(grade, wanted);
  const ranks = wanted.flatMap((one) => (one.kind === grade.kind ? [one.rank] : []));
  if (ranks.length === 0) return null;
  const isOther = ranks.length < wanted.length;
  const [least, most] = [Math.min(...ranks), Math.max(...ranks)];
  if (grade.kind === "colour") return compareColour(grade.rank, most, isOther);
  if (grade.rank >= least && grade.rank <= most) return "normal";
  const isBeyond = grade.kind === "immunity" || grade.rank > most;
  return isBeyond && !isOther ? "abnormal" : null;
}

/** Amber lies between the colours of health and the others, so it is no deviation for certain. */
function compareColour(rank: number, most: number, isOther: boolean): Outcome {
  if (rank < UNUSUAL_COLOUR && rank <= most) return "normal";
  return rank === UNUSUAL_COLOUR && most === 0 && !isOther ? "abnormal" : null;
}

function compareAbsence(wanted: readonly QualitativeGrade[]): Outcome {
  if (wanted.some(({ kind }) => kind === "none")) return "normal";
  // Less than an expected amount is not abnormal for certain: `None seen` where `Few` is expected.
  return wanted.every((one) => one.kind === "some" && Object.keys(one.ranks).length === 0) ? "abnormal" : null;
}

function compareAmount({ ranks }: QualitativeGrade & { kind: "some" }, wanted: readonly QualitativeGrade[]): Outcome {
  if (wanted.every(({ kind }) => kind === "none")) return "abnormal";
  const amounts = wanted.flatMap((one) => (one.kind === "some" ? [one.ranks] : []));
  if (amounts.length < wanted.filter(({ kind }) => kind !== "none").length) return null;
  const isPlain = (one: typeof ranks) => Object.keys(one).length === 0;
  if (isPlain(ranks)) return amounts.some(isPlain) ? "normal" : null;
  const shared = (Object.keys(ranks) as (keyof typeof ranks)[]).find((scale) =>
    amounts.every((one) => one[scale] !== undefined),
  );
  if (shared === undefined) return null;
  const [own, all] = [ranks[shared] ?? 0, amounts.map((one) => one[shared] ?? 0)];
  const most = Math.max(...all);
  if (own > most) return "abnormal";
  return amounts.length < wanted.length || own >= Math.min(...all) ? "normal" : null;
}
