import type { ColumnKind } from "./heading-phrases.ts";

/** Keywords by column kind, the most specific kind first: `Former result` is a previous result. */
const keywords: readonly (readonly [ColumnKind, ReadonlySet<string>])[] = (
  [
    [
      "previous",
      "previous|prev|prior|last|former|earlier|past|history|historical|old|trend|delta|change|comparison|compare|baseline|before",
    ],
    [
      "range",
      "range|ranges|rng|reference|references|ref|interval|intervals|limit|limits|normal|normals|normative|expected|usual|healthy|biological|bio|acceptable|desirable|target|optimal|recommended|cutoff|bounds",
    ],
    ["units", "unit|units|uom|dimension|dim"],
    [
      "other",
      "method|methods|methodology|technique|code|codes|loinc|date|time|number|no|id|collected|drawn|taken|received|performed|verified|accession|specimen|sample|matrix|material|mat|site|facility|tech|init|initials|comment|comments",
    ],
    ["flag", "flag|flags|abn|abnormal|interp|interpretation|alert|alerts|evaluation|assessment|rating|sign|mark"],
    [
      "value",
      "result|results|value|values|finding|findings|outcome|reading|level|today|current|latest|obtained|observed|measured|found",
    ],
    [
      "name",
      "test|tests|name|analyte|analytes|component|parameter|parameters|examination|investigation|investigations|assay|marker|biomarker|procedure|determination|description|constituent|measurement",
    ],
  ] as const
).map(([kind, words]) => [kind, new Set(words.split("|"))]);

const MAX_HEADING_WORDS = 5;

/**
 * The column kind by the most specific keyword of a heading; undefined without a keyword or if the text is too long.
 */
export function columnKindByKeyword(text: string): ColumnKind | undefined {
  const words = text.toLowerCase().match(/[\p{L}/+-]{2,}/gu) ?? [];
  if (words.length > MAX_HEADING_WORDS) return undefined;
  return keywords.find(([, own]) => words.some((word) => own.has(word)))?.[0];
}
