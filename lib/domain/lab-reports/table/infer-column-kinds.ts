import { splitUnitFromName } from "../names/split-unit-from-name.ts";
import { isQualitativeResult } from "../row/read-value.ts";
import { isUnit } from "../row/report-units.ts";
import type { ReadingContext } from "../row/row-parts.ts";
import type { Column } from "./assign-columns.ts";
import {
  type ColumnProfile,
  emptyProfile,
  hasBothBounds,
  isFlagText,
  isNameText,
  isRangeText,
  isValueText,
  profileColumns,
} from "./column-profile.ts";
import type { ColumnStep } from "./column-step.ts";
import { HALF_SHARE, MAJORITY_SHARE, MIN_TEXTS, MINORITY_SHARE, NEARLY_ALL_SHARE } from "./column-step.ts";
import type { ColumnKind } from "./heading-phrases.ts";

const MIN_KNOWN_SHARE = 0.4;

/** Infers the kinds of unknown columns from their contents. A kind that a heading determines is not assigned again. */
export const inferColumnKinds: ColumnStep = ({ columns, assigned }, lines, context) => {
  const isOpen = ({ isUnknown, isGuessed, kind }: Column) => isUnknown || (isGuessed && kind === "other");
  if (!columns.some(isOpen)) return columns;
  const profiles = profileColumns(columns, assigned, lines);
  const isFilled = (kind: ColumnKind) =>
    columns.some((one, place) => {
      const { texts, share } = profiles[place] ?? emptyProfile;
      return one.kind === kind && texts.length > 0 && share(contentTests[kind] ?? isValueText) >= HALF_SHARE;
    });
  const kinds = new Map<number, ColumnKind>();
  for (const { kind, fit } of kindScores(context)) {
    if (isFilled(kind) || [...kinds.values()].includes(kind)) continue;
    const best = columns
      .map((one, place) => ({
        place,
        fit:
          isOpen(one) && !kinds.has(place) && (one.isUnknown || kind === "name")
            ? fit(profiles[place] ?? emptyProfile)
            : 0,
      }))
      .reduce((most, next) => (next.fit > most.fit ? next : most));
    if (best.fit > 0) kinds.set(best.place, kind);
  }
  const isNumbering = (place: number) =>
    isOpen(columns[place] as Column) && areRowNumbers(profiles[place]?.texts ?? []);
  for (const place of columns.keys()) if (!kinds.has(place) && isNumbering(place)) kinds.set(place, "other");
  if (kinds.size === 0) return columns;
  return columns.map((column, place) => {
    const kind = kinds.get(place);
    return kind ? { ...column, kind, isUnknown: false } : column;
  });
};

/** Reports whether texts number their rows. */
const areRowNumbers = (texts: readonly string[]): boolean =>
  texts.length > MIN_TEXTS &&
  texts.every((text, place) => Number.parseInt(text, 10) === place + Number.parseInt(texts[0] ?? "", 10));

/** Scores of a column for a kind by its content; 0 if it does not fit. The most certain kinds come first. */
const kindScores = ({ isKnown }: ReadingContext): { kind: ColumnKind; fit: (profile: ColumnProfile) => number }[] => [
  {
    kind: "name",
    fit: ({ share }) =>
      atLeast(
        share((text) => isKnown(splitUnitFromName(text)?.name ?? text)),
        MIN_KNOWN_SHARE,
      ),
  },
  {
    kind: "name",
    fit: ({ texts, share }) =>
      new Set(texts).size > texts.length * HALF_SHARE ? atLeast(share(isNameText), NEARLY_ALL_SHARE) : 0,
  },
  { kind: "units", fit: ({ share }) => atLeast(share(isUnit), MAJORITY_SHARE) },
  {
    kind: "range",
    fit: ({ share }) =>
      share(hasBothBounds) > MINORITY_SHARE
        ? Math.max(atLeast(share(isRangeText), HALF_SHARE), atLeast(share(isRangeOrQualitative), NEARLY_ALL_SHARE) / 2)
        : 0,
  },
  {
    kind: "flag",
    fit: ({ share, isConstant, fillRate }) =>
      isConstant && fillRate > NEARLY_ALL_SHARE ? 0 : atLeast(share(isFlagText), NEARLY_ALL_SHARE),
  },
  {
    kind: "value",
    fit: ({ share, isConstant, fillRate, flagAgreement }) =>
      isConstant || share(isValueText) < MAJORITY_SHARE ? 0 : fillRate + flagAgreement,
  },
];

const isRangeOrQualitative = (text: string) => isRangeText(text) || isQualitativeResult(text);

const atLeast = (share: number, least: number) => (share >= least ? share : 0);

/** Discards kinds that a heading keyword suggests and the content contradicts. */
export const discardWrongGuesses: ColumnStep = ({ columns, assigned }, lines) => {
  const profiles = profileColumns(columns, assigned, lines);
  const isWrong = ({ kind, isGuessed }: Column, place: number) => {
    const { texts, share } = profiles[place] ?? emptyProfile;
    const fits = contentTests[kind];
    return isGuessed && fits && texts.length >= MIN_TEXTS && share(fits) < HALF_SHARE;
  };
  return columns.some(isWrong)
    ? columns.map((column, place) => (isWrong(column, place) ? { ...column, kind: "other", isUnknown: true } : column))
    : columns;
};

/** Content tests by column kind. */
const contentTests: Partial<Record<ColumnKind, (text: string) => boolean>> = {
  name: (text) => /\p{L}{2}/u.test(text) && !isUnit(text),
  value: isValueText,
  units: isUnit,
  range: (text) => isRangeText(text) || isQualitativeResult(text) || /^not? /i.test(text),
  flag: isFlagText,
};
