import type { Column } from "./assign-columns.ts";
import {
  isFlag,
  isPair,
  isRangeText,
  isValueText,
  isWords,
  nothing,
  type Profile,
  profilesOf,
} from "./column-profiles.ts";
import type { Step } from "./column-step.ts";
import { FEWEST, HALF, MOST, NEARLY_ALL, SOME } from "./column-step.ts";
import type { ColumnKind } from "./heading-words.ts";
import { isResultWords } from "./read-value.ts";
import { isUnit } from "./report-units.ts";
import type { ReadingContext } from "./row-parts.ts";
import { unitInName } from "./unit-in-name.ts";

const KNOWN = 0.4;

/** Infers the kinds of unknown columns from their contents. A kind that a heading determines is not assigned again. */
export const byContent: Step = ({ columns, assigned }, lines, context) => {
  const isOpen = ({ isUnknown, isGuessed, kind }: Column) => isUnknown || (isGuessed && kind === "other");
  if (!columns.some(isOpen)) return columns;
  const profiles = profilesOf(columns, assigned, lines);
  const isFilled = (kind: ColumnKind) =>
    columns.some((one, place) => {
      const { texts, share } = profiles[place] ?? nothing;
      return one.kind === kind && texts.length > 0 && share(contents[kind] ?? isValueText) >= HALF;
    });
  const kinds = new Map<number, ColumnKind>();
  for (const { kind, fit } of evidence(context)) {
    if (isFilled(kind) || [...kinds.values()].includes(kind)) continue;
    const best = columns
      .map((one, place) => ({
        place,
        fit:
          isOpen(one) && !kinds.has(place) && (one.isUnknown || kind === "name") ? fit(profiles[place] ?? nothing) : 0,
      }))
      .reduce((most, next) => (next.fit > most.fit ? next : most));
    if (best.fit > 0) kinds.set(best.place, kind);
  }
  const isNumbering = (place: number) => isOpen(columns[place] as Column) && areCounted(profiles[place]?.texts ?? []);
  for (const place of columns.keys()) if (!kinds.has(place) && isNumbering(place)) kinds.set(place, "other");
  if (kinds.size === 0) return columns;
  return columns.map((column, place) => {
    const kind = kinds.get(place);
    return kind ? { ...column, kind, isUnknown: false } : column;
  });
};

/** Reports whether texts number their rows. */
const areCounted = (texts: readonly string[]): boolean =>
  texts.length > FEWEST &&
  texts.every((text, place) => Number.parseInt(text, 10) === place + Number.parseInt(texts[0] ?? "", 10));

/** Scores of a column for a kind by its content; 0 if it does not fit. The most certain kinds come first. */
const evidence = ({ isKnown }: ReadingContext): { kind: ColumnKind; fit: (profile: Profile) => number }[] => [
  {
    kind: "name",
    fit: ({ share }) =>
      over(
        share((text) => isKnown(unitInName(text)?.name ?? text)),
        KNOWN,
      ),
  },
  {
    kind: "name",
    fit: ({ texts, share }) => (new Set(texts).size > texts.length * HALF ? over(share(isWords), NEARLY_ALL) : 0),
  },
  { kind: "units", fit: ({ share }) => over(share(isUnit), MOST) },
  {
    kind: "range",
    fit: ({ share }) =>
      share(isPair) > SOME ? Math.max(over(share(isRangeText), HALF), over(share(isUsual), NEARLY_ALL) / 2) : 0,
  },
  {
    kind: "flag",
    fit: ({ share, isConstant, fill }) => (isConstant && fill > NEARLY_ALL ? 0 : over(share(isFlag), NEARLY_ALL)),
  },
  {
    kind: "value",
    fit: ({ share, isConstant, fill, flagged }) => (isConstant || share(isValueText) < MOST ? 0 : fill + flagged),
  },
];

const isUsual = (text: string) => isRangeText(text) || isResultWords(text);

const over = (share: number, least: number) => (share >= least ? share : 0);

/** Discards kinds that a heading keyword suggests and the content contradicts. */
export const withoutWrongGuesses: Step = ({ columns, assigned }, lines) => {
  const profiles = profilesOf(columns, assigned, lines);
  const isWrong = ({ kind, isGuessed }: Column, place: number) => {
    const { texts, share } = profiles[place] ?? nothing;
    const fits = contents[kind];
    return isGuessed && fits && texts.length >= FEWEST && share(fits) < HALF;
  };
  return columns.some(isWrong)
    ? columns.map((column, place) => (isWrong(column, place) ? { ...column, kind: "other", isUnknown: true } : column))
    : columns;
};

/** Content tests by column kind. */
const contents: Partial<Record<ColumnKind, (text: string) => boolean>> = {
  name: (text) => /\p{L}{2}/u.test(text) && !isUnit(text),
  value: isValueText,
  units: isUnit,
  range: (text) => isRangeText(text) || isResultWords(text) || /^not? /i.test(text),
  flag: isFlag,
};
