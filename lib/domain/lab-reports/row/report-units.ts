/** The dimension (kind of quantity) of a unit. The dimensions of a LOINC code and of a row must agree. */
export type Dimension = string;

const MASS = "(?:[pnumck]|mc|µ|μ|d)?(?:g|gm|gr)s?";
const MOLE = "(?:[fpnum]|µ|μ|mc)?(?:mol|eq)s?";
const ACTIVITY = "(?:[numk]|µ|μ|mc|mill?i|micro)?(?:iu|u|units?|ru|au|eu|gpl|mpl|apl|kat|smu)s?";
const VOLUME = "(?:[dmunpf]|µ|μ|mc|c)?l|mm3|mm\\^3|mm³|cu\\.?mm|cmm|cumm|ccm|cc";
const COUNT = String.raw`(?:[x×]?\s?10\s?(?:[e^*]|\*\*)?\s?\(?(?:[369³⁶⁹]|12|¹²)\)?|[x×]10|k|m|t|th|thou|thous|thousands?|mil|mio|mill|million|millions|giga|tera|bil|billion)(?:cells)?`;
const TIME = "(?:min|h|hr|hour|hours|d|day|24\\s?h|24\\s?hr|24\\s?hrs|24\\s?hours)";

/** Dimensions by pattern of the unit in lower case without spaces; the first match wins. */
const forms: readonly (readonly [Dimension, RegExp])[] = [
  [
    "fraction",
    /^(?:%|percent|pct|%(?:ofhgb|oftotalhgb|oftotal|hgb|totalhgb|hb|ofhb|ngsp|oftotalhb|saturation|sat|bound|uptake))$/,
  ],
  ["count", new RegExp(`^${COUNT}/(?:${VOLUME})$`)],
  ["count", new RegExp(`^(?:cells?|/|#|cells?x10\\^?[36])?/?(?:${VOLUME})$|^cells/(?:${VOLUME})$|^/(?:${VOLUME})$`)],
  [
    "feu",
    new RegExp(
      `^${MASS}(?:/(?:${VOLUME}))?\\{?\\(?(?:feu|ddu)\\)?\\}?(?:/(?:${VOLUME}))?$|^${MASS}/(?:${VOLUME})\\(?(?:feu|ddu)\\)?$`,
    ),
  ],
  ["mass", new RegExp(`^${MASS}/(?:100)?(?:${VOLUME})$|^mg%$|^g%$`)],
  ["substance", new RegExp(`^${MOLE}/(?:${VOLUME})$`)],
  [
    "activity",
    new RegExp(`^\\[?${ACTIVITY}\\]?/(?:${VOLUME})$|^[mku]?\\[i?u\\]/(?:${VOLUME})$|^[mku]?\\[iu\\]/(?:${VOLUME})$`),
  ],
  ["catalytic activity", new RegExp(`^(?:${MOLE})/(?:min|s|h|hr)/(?:${VOLUME}|${MASS}(?:hb|hgb)?)$`)],
  ["pressure", /^(?:mm\s?hg|kpa|torr)$/],
  ["osmolality", /^m?osm(?:ol)?\/kg(?:h2o|water)?$|^m?osm(?:ol)?\/l$/],
  ["filtration", /^ml\/min(?:\/?\(?\{?1\.73_?\s?(?:sq\.?m|m2|m\^2|m²|m\*2)?\}?\)?)?$/],
  ["volume", /^(?:fl|um3|µm3|um\^3|cu\.?microns?|µm³|um³|cumicrons?)$/],
  ["entity mass", /^(?:pg|pg\/cell|uug|picograms?)$/],
  ["field", /^\/?(?:#?\/|per|cells?\/|wbc\/|rbc\/)?\[?hpf\]?$/],
  ["low field", /^\/?(?:#?\/|per|casts?\/)?\[?lpf\]?$/],
  ["rate", /^mm(?:\/1)?\/?(?:h|hr|hour|1hr|1sthour)$/],
  ["time", /^(?:s|sec|secs|seconds?)\.?$/],
  [
    "mass ratio",
    new RegExp(
      `^${MASS}/(?:${MASS})(?:_?\\{?\\(?(?:crea|creat|creatinine|cr|c|ofcreatinine)\\.?\\)?\\}?)?$|^mg/mmol(?:creat|creatinine|cr)?$`,
    ),
  ],
  ["count ratio", /^\/?(?:per)?100(?:wbcs?|wbc's|leukocytes)$/],
  [
    "ratio",
    /^units?$|^\{?\(?(?:ratio|calc|\(?calc\)?|index|titer|s\/co|s\/coratio|index value|indexvalue|iv|lif?|ai|aiu|inr|sg|g\/ml|ph|phunits?|scale)\)?\}?$|^\[ph\]$/,
  ],
  ["amount rate", new RegExp(`^(?:${MASS}|${MOLE})/${TIME}$`)],
  ["molar fraction", /^mmol\/mol(?:hb)?$/],
  ["copies", new RegExp(`^(?:log(?:10)?)?(?:copies|cp|iu)/(?:${VOLUME})$`)],
];

/** Maximum length of a unit, in characters. */
const MAX_UNIT_LENGTH = 24;

/** The dimension of a printed unit; null if the text is no unit. */
export function dimensionOf(units: string): Dimension | null {
  const plain = stripUnitBrackets(units)
    .toLowerCase()
    .replace(/(?<=[^\s(])\s*\(?calc(?:ulated)?\.?\)?$/, "")
    .replaceAll(/\s+/g, "")
    .replaceAll(/[*^](?=[369]|12)/g, "^");
  if (/^G\/L$/.test(units.trim())) return "count"; // giga; grams are in lower case
  if (plain.length > MAX_UNIT_LENGTH || plain === "") return null;
  return forms.find(([, form]) => form.test(plain))?.[0] ?? null;
}

/** Strips the brackets of a unit, `[mg/dL]`. */
export const stripUnitBrackets = (units: string): string =>
  /^(?:\[([^[\]]{2,}|%)\]|\((?!calc)([^()]{2,}|%)\))$/i.exec(units.trim())?.slice(1).find(Boolean)?.trim() ?? units;

/** Reports whether a text may be the unit of a result. */
export const isUnit = (text: string): boolean => dimensionOf(text) !== null;

const powers: Readonly<Record<string, number>> = { p: -12, n: -9, u: -6, µ: -6, μ: -6, mc: -6, m: -3, d: -1, k: 3 };

/**
 * The power of ten of a unit relative to the unit without prefixes: -2 for mg/dL, since it is 10^-2 g/L; 0 if unknown.
 */
export function magnitudeOf(units: string): number {
  const plain = units.toLowerCase().replaceAll(/[\s[\]]/g, "");
  const [, above = "", below = ""] =
    /^(p|n|u|µ|μ|mc|m|k|d)?(?:g|gm|mol|eq|iu|u)\/(p|n|u|µ|μ|mc|m|d)?l$/.exec(plain) ?? [];
  return (powers[above] ?? 0) - (powers[below] ?? 0);
}
