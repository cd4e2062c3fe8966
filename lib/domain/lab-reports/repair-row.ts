import type { Candidate } from "./find-loinc.ts";
import { foldLookalikes } from "./fold-name.ts";
import type { PrintedRange } from "./read-range.ts";
import { withPointAt } from "./repair-numbers.ts";
import { isOneApart, knownUnits, withUsualLitre } from "./repair-units.ts";
import type { ReportCatalogue } from "./report-catalogue.ts";
import { dimensionOf } from "./report-units.ts";
import type { PrintedRow } from "./row-parts.ts";

/** A row that was recognised in an image as it was probably printed, by what the catalogue and its other parts say. */
export function repairRow(
  row: PrintedRow,
  best: Candidate | undefined,
  catalogue: ReportCatalogue,
  allUnits: readonly (string | null)[],
): PrintedRow {
  const named = { ...row, name: likeKnown(repairName(row.name, catalogue), best) };
  const repaired = withValuePoint(
    withRangePoints({ ...named, units: withUsualLitre(unitsFor(named, best, allUnits), allUnits) }),
  );
  const isSame = (["name", "units", "value", "range"] as const).every((part) => repaired[part] === row[part]);
  return { ...repaired, isRepaired: row.isRepaired || !isSame };
}

/** A name with each word that is none, but looks like one of those that names have, as that one: `Hemoglobin Alc`. */
export function repairName(name: string, { words }: ReportCatalogue): string {
  const repaired = name.split(" ").map((part) => {
    const [, before = "", word = "", after = ""] = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}%#]*)$/u.exec(part) ?? [];
    if (word.length < 2 || words.known.has(word.toLowerCase())) return part;
    const likely = words.byLook.get(foldLookalikes(word));
    return likely ? `${before}${likely}${after}` : part;
  });
  return repaired.join(" ");
}

/** A name that looks like one of the test in every word, as that one is written: `Hemoglobin Alc`, where `ALC` is a word too. */
function likeKnown(name: string, best: Candidate | undefined): string {
  const parts = name.split(" ");
  const look = parts.map(foldLookalikes);
  const others = (best?.known.names ?? []).map((other) => other.split(" "));
  const isAlike = (other: readonly string[]) =>
    other.length === parts.length && other.every((word, place) => foldLookalikes(word) === look[place]);
  const found = others.filter(isAlike);
  if (found.length === 0 || found.some((other) => other.join(" ").toLowerCase() === name.toLowerCase())) return name;
  return parts
    .map((part, place) =>
      part.toLowerCase() === found[0]?.[place]?.toLowerCase() ? part : (found[0]?.[place] ?? part),
    )
    .join(" ");
}

/** A unit of the wrong kind as one of the right kind that differs in a letter: `K/L` of a count is `K/uL`. */
function unitsFor({ units }: PrintedRow, best: Candidate | undefined, all: readonly (string | null)[]): string | null {
  const expected = best?.known.dimension;
  const count = expected === "count" ? /^([km])[uU]?\/?L?$/i.exec(units ?? "")?.[1] : undefined;
  if (count) return all.find((other) => other?.startsWith(`${count}/`) && other.length > 3) ?? `${count}/uL`;
  if (units === null || !expected || best.confidence < 0.4 || dimensionOf(units) === expected) return units;
  const plain = units.replaceAll(/[^\w/%^*µμ³]/g, "").toLowerCase();
  return (
    knownUnits.find(
      (unit) => dimensionOf(unit) === expected && isOneApart(plain, unit.toLowerCase().replaceAll(" ", "")),
    ) ?? units
  );
}

const decimalsOf = (printed: string) => printed.split(".")[1]?.length ?? 0;

/** A range that has lost its points, by the decimals of the value and of its other bound: `11-44` beside 3.5 is 1.1-4.4. */
function withRangePoints(row: PrintedRow): PrintedRow {
  const { min, max } = row.range;
  const { number, value } = row.value;
  if (number === null) return row;
  const decimals = row.range.decimals || decimalsOf(value);
  const isInverted = min !== null && max !== null && min > max;
  const isFar = (min !== null && min > number * 3) || (max !== null && min !== null && max < number / 3);
  const isFarAbove = min !== null && max !== null && min > 0 && max > min * 15 && row.range.decimals !== 0;
  if (decimals < 1 || !(isInverted || isFar || isFarAbove)) return row;
  const repaired = { ...row.range, min: pointed(min, decimals, number), max: pointed(max, decimals, number), decimals };
  return isSound(repaired, number) ? { ...row, range: repaired } : row;
}

function pointed(bound: number | null, decimals: number, near: number): number | null {
  if (bound === null || !Number.isInteger(bound) || (bound <= near * 3 && bound >= near / 3)) return bound;
  const repaired = withPointAt(String(bound), decimals, near / 3, near * 3);
  return repaired === null ? bound : Number(repaired);
}

const isSound = ({ min, max }: PrintedRange, number: number) =>
  (min === null || max === null || min < max) && (min === null || min <= number * 4);

/** A value that has lost its point, by the decimals of its range: `14` beside 0.9-1.2 is 1.4. */
function withValuePoint(row: PrintedRow): PrintedRow {
  const { min, max, decimals } = row.range;
  const { value, number, kind } = row.value;
  if (kind !== "number" || number === null || !decimals || decimalsOf(value) > 0 || max === null) return row;
  if (number <= max) return row;
  const repaired = withPointAt(value, decimals, min || max / 4, max);
  if (repaired === null) return row;
  return { ...row, value: { ...row.value, value: repaired, number: Number(repaired.replace(/^[<>]=?/, "")) } };
}
