/** The interpretation that a printed flag stands for. */
export type FlagMeaning = "normal" | "abnormal" | "critical";

const meanings: Readonly<Record<FlagMeaning, readonly string[]>> = {
  normal: "n normal nl wnl within withinrange withinlimits withinnormallimits inrange".split(" "),
  abnormal:
    "h l a hi lo high low abn abnormal ab aa * ** ↑ ↓ ▲ ▼ h* l* a* *h *l *a + out outofrange outside borderline borderlinehigh borderlinelow above below aboverange belowrange elevated !".split(
      " ",
    ),
  critical:
    "hh ll c ch cl crit critical panic !! criticalhigh criticallow crithigh critlow panichigh paniclow hc lc pl ph hp lp hhh lll chi clo ↑↑ ↓↓ ▲▲ ▼▼ c* hh* ll* *** h! l! hcrit lcrit highcritical lowcritical".split(
      " ",
    ),
};

const meaningByText = new Map(
  (["normal", "abnormal", "critical"] as const).flatMap((meaning) => meanings[meaning].map((text) => [text, meaning])),
);

/** The meaning of a printed flag (`H`, `(L)`, `*`, `Critical High`); undefined if the text is no flag. */
export function flagMeaning(text: string): FlagMeaning | undefined {
  const plain = text.toLowerCase().replaceAll(/[\s()[\].,:]/g, "");
  return meaningByText.get(plain);
}

/** Flags directly before or behind a number: letters that start no unit. */
const BEHIND =
  /^(.*?\d(?:[+%])?)\s*((?:HH|LL|HI|LO|H|L|A|C|↑+|↓+|▲|▼|\*{1,3}|!{1,2}|\((?:HH|LL|H|L|A|C|\*)\)|\[(?:HH|LL|H|L|A|C|\*)\])\*?)$/;
const BEFORE =
  /^((?:HH|LL|HI|LO|H|L|A|C|↑+|↓+|▲|▼|\*{1,3}|!{1,2}|\((?:HH|LL|H|L|A|C|\*)\)|critical(?:\s+(?:high|low))?|high|low|abnormal|normal|borderline))\s*([<>≤≥]?=?\s*\d.*)$/i;
const BEFORE_WORDS = /^(A|C|\*{1,3}|abnormal|abn|critical|high)\s+(?!(?:pos|neg|rh)\b)(\p{L}{3}.*)$/iu;
const WORDS =
  /^(.*\S)\s+[([]?(critical(?:\s+(?:high|low))?|panic(?:\s+(?:high|low))?|high|low|abnormal|abn|crit|hi|lo|HH|LL|H|L|A|C|\*{1,3}|!{1,2}|[↑↓▲▼]{1,2})[)\]]?$/i;

/** A value and its printed flag. */
export interface FlaggedText {
  readonly text: string;
  readonly flag: string | null;
}

/** Splits a flag from its value: `5.4H`, `H 5.4`, `5.4 (H)`, `Positive A`. */
export function splitFlag(whole: string): FlaggedText {
  const text = whole.trim();
  const before = BEFORE.exec(text) ?? BEFORE_WORDS.exec(text);
  if (before?.[1] && before[2]) return { text: before[2], flag: before[1] };
  const behind = BEHIND.exec(text) ?? WORDS.exec(text);
  if (behind?.[1] && behind[2] && /[\p{L}\d]/u.test(behind[1])) return { text: behind[1].trim(), flag: behind[2] };
  const starred = /^(.*[^\s*])(\*{1,3})$/.exec(text);
  if (starred?.[1] && starred[2]) return { text: starred[1].trim(), flag: starred[2] };
  return { text, flag: null };
}
