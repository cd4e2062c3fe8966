import { dimensionOf } from "./report-units.ts";

/** Units as laboratories print them; OCR results are repaired to one of these. */
const printed =
  "% mg/dL g/dL gm/dL mg/L g/L ug/L mcg/L ng/L pg/mL ng/mL ug/mL mcg/mL µg/mL ng/dL ug/dL mcg/dL µg/dL μg/dL pg/dL mg/mL mmol/L mEq/L meq/L umol/L µmol/L μmol/L nmol/L pmol/L mosm/kg mOsm/kg U/L IU/L units/L U/mL IU/mL kU/L KU/L kIU/L mIU/L mU/L uIU/mL µIU/mL μIU/mL mcIU/mL uU/mL mIU/mL mU/mL kat/L K/uL K/µL K/μL K/mcL k/uL M/uL M/µL M/μL M/mcL 10^3/uL 10^6/uL 10*3/uL 10*6/uL x10E3/uL x10E6/uL X10E3/uL X10E6/uL x10^3/uL x10^6/uL x10(3)/uL x10(6)/uL 10^9/L 10^12/L 10*9/L 10*12/L x10^9/L x10^12/L x10E9/L x10E12/L 10E3/uL 10E6/uL 10e3/uL 10e6/uL 10³/µL 10⁶/µL x10³/µL x10⁶/µL Thousand/uL Million/uL Thou/uL Mill/uL thou/mcL mill/mcL cells/uL cells/mcL /uL K/mm3 M/mm3 cells/mm3 fL pg mm/h mm/hr sec s seconds mL/min/1.73m2 mL/min/1.73 mL/min/1.73m² mL/min/{1.73_m2} mL/min /HPF /LPF /hpf /lpf cells/HPF mg/g mg/g_creat mg/gCr mcg/mg ug/mg mg/mmol ratio Ratio index Index titer S/CO AU/mL ug/mL_FEU mg/L_FEU mcg/mL_FEU ug{FEU}/mL ng/mL_FEU ng/mL_DDU mmol/mol GPL MPL INR pH mL/min/1.73_m2 mL/min/1.73_m² mg/g_creatinine mg/dL_(calc) g/dL_(calc) cells/hpf per_HPF mg/24_h g/24_h copies/mL nmol/L_BCE EU/dL Ehrlich_U/dL kIU/mL ng/mL/h ug/g mcg/g µg/g µg/mg".split(
    " ",
  );
/** Units as laboratories print them. */
export const knownUnits: readonly string[] = printed.map((unit) => unit.replaceAll("_", " "));

/** Units by spelling without spaces; the first one wins. */
const exact = new Map(knownUnits.map((unit) => [unit.replaceAll(" ", ""), unit] as const).toReversed());
/** Units by spelling in lower case; the first one wins. */
const byCase = new Map(knownUnits.map((unit) => [unit.replaceAll(" ", "").toLowerCase(), unit] as const).toReversed());
const byShape = Map.groupBy(knownUnits, shapeOf);

/** Folds characters that OCR confuses: I, l and 1; O and 0; µ and u; upper and lower case; rn and m. */
function shapeOf(unit: string): string {
  return unit
    .toLowerCase()
    .replaceAll(/\s/g, "")
    .replaceAll(/[µμ]/g, "u")
    .replaceAll(/[il1|!\][]/g, "i")
    .replaceAll(/[o0]/g, "o")
    .replaceAll("rn", "m")
    .replaceAll(/[°*^"'`]/g, "^")
    .replaceAll(/[\\]/g, "/");
}

/**
 * Repairs a misrecognised unit: `ulU/mL` becomes `uIU/mL`. Of several matches the closest wins; null if no known unit
 * is similar.
 */
export function repairUnits(read: string): string | null {
  const text = read.trim().replace(/(?<=\w)[.,'’‘_]+$/, "");
  const plain = text.replaceAll(/\s/g, "");
  if (exact.has(plain)) return exact.get(plain) ?? null;
  const power = /^([xX]?)10[^\dEex(]{0,2}7?(3|6|9|12|M2)\/(u|µ|μ)?[Ll1I]{1,2}\.?$/.exec(plain);
  if (power) return `${power[1]}10^${power[2]?.replace("M", "1")}/${power[3] ?? ""}L`;
  if (/^[hl]pf$/i.test(plain)) return `/${plain}`;
  const cased = byCase.get(plain.toLowerCase());
  if (cased) return differsInLitreOnly(cased, plain) ? text : cased;
  const same = byShape.get(shapeOf(read)) ?? byShape.get(shapeOf(plain.replaceAll(/[^\w/%.^*µμ³⁶²(){}]/g, "")));
  if (same) return closest(plain, same);
  if (dimensionOf(read) !== null) return read;
  const [first = "", behind = ""] = read.split(" ");
  if (behind.length > 0 && behind.length <= 2 && read === `${first} ${behind}` && dimensionOf(first)) return first;
  const near = knownUnits.filter((unit) => isWithinOneEdit(shapeOf(plain), shapeOf(unit)) && unit.length > 3);
  return near.length > 0 ? closest(plain, near) : null;
}

/** Reports whether two spellings differ only in the case of the litre, which laboratories print both ways. */
const differsInLitreOnly = (known: string, plain: string) =>
  known.replaceAll(" ", "").replace(/L$/, "l") === plain.replace(/L$/, "l");

/** Writes the litre in the case that prevails in the report: `IU/ml` among `mg/dL` and `U/L` becomes `IU/mL`. */
export function normalizeLitreCase(units: string | null, all: readonly (string | null)[]): string | null {
  if (units === null || !/(?:[a-z]{2}\/.*|\/u)[lL]$/i.test(units)) return units;
  const small = all.filter((other) => other !== null && /\/\w*l$/.test(other)).length;
  const large = all.filter((other) => other !== null && /\/\w*L$/.test(other)).length;
  return small * 3 < large ? units.replace(/l$/, "L") : large * 3 < small ? units.replace(/L$/, "l") : units;
}

/** The unit with the most characters in common by position; the first of equals, since common units come first. */
function closest(read: string, of: readonly string[]): string {
  const alike = (unit: string) =>
    [...unit.replaceAll(" ", "")].filter((letter, place) => read[place] === letter).length;
  return of.reduce((best, unit) => (alike(unit) > alike(best) ? unit : best));
}

/** Reports whether two texts are within one edit: one character substituted, missing or added. */
export function isWithinOneEdit(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const [rest, otherRest] = [one.slice(same), other.slice(same)];
  return rest.slice(1) === otherRest.slice(1) || rest.slice(1) === otherRest || rest === otherRest.slice(1);
}
