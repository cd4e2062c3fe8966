/** The header field that a label names. */
export type HeaderField =
  | "patient_name"
  | "first_name"
  | "last_name"
  | "dob"
  | "gender"
  | "lab_name"
  | "date_reported"
  | "date_collected"
  | "specimen_number"
  | "other";

const labels: Readonly<Record<HeaderField, string>> = {
  patient_name:
    "patient|patient name|name|pt name|patient's name|name of patient|client name|member name|patient name (last, first)",
  first_name: "first name|patient first name|given name|first",
  last_name: "last name|patient last name|surname|family name|last",
  dob: "dob|date of birth|birth date|birthdate|d.o.b.|d.o.b|patient dob|born|birth|dob/age|dob (age)",
  gender: "sex|gender|patient sex|patient gender|sex at birth|gender/sex|m/f|birth sex",
  lab_name:
    "performing lab|performing laboratory|laboratory|lab|lab name|testing laboratory|performed at|performed by|laboratory name",
  date_reported:
    "report issued on|issued on|report released|reported|date reported|report date|reported on|date of report|reported date|date/time reported|result date|final report date|report date/time|report issued|released|completed|date completed|date released|resulted|resulted on|results on|reported date|reported date/time|date issued|date final|finalized|issued|printed|date & time reported|reported at|report time|final report",
  date_collected:
    "collected|date collected|collection date|date of collection|collected on|specimen collected|coll date|collect date|date/time collected|drawn|date drawn|collection date/time|collection time|coll. date|draw date|collected date|sample collected|specimen collection date|date/time of collection|service date|date of service|collected date/time|collection|coll|sample date|collection date & time|collected at|date specimen collected|specimen date|sample taken|specimen taken|taken|taken on|taken at|date taken|sample taken on|date of sampling|sampling date|sampling time|sampled|sampled on|sample drawn|specimen drawn|drawn on|blood drawn|date sampled|date of sample|date of specimen",
  specimen_number:
    "specimen|sample identifier|specimen #|specimen id|specimen number|specimen no|specimen no.|accession|accession #|accession no|accession no.|accession number|sample id|sample #|sample no|sample no.|sample number|lab id|lab ref|lab ref #|lab no|lab no.|lab number|acc #|acc. no.|acc no|accn|order #|barcode|specimen barcode|requisition #|lab accession|lab accession #|control no|control #|acc. #|specimen id #|sample|case #|lab #|lab reference|specimen number/id|accession id|req #",
  other:
    "sample arrived|sample received|specimen received|arrived|arrived on|requesting doctor|requesting physician|sent by|sender|age|phone|fax|address|physician|ordering physician|provider|ordering provider|doctor|client|account|account #|account number|acct #|acct|received|date received|received on|mrn|medical record|medical record #|patient id|pt id|id|patient #|fasting|status|report status|page|clia|clia #|director|medical director|printed on|npi|order|order number|requisition|requisition no|location|room|ward|date entered|entered|control|copy to|cc|referring physician|ref. by|referred by|requested by|specimen type|sample type|type|comments|comment|note|notes|chart|chart #|chart no|visit|visit #|encounter|ssn|route|fasting status|patient phone|patient address|client #|client id|account no|age/sex|patient age|health id|height|weight|total volume|volume|registered|ordered|ordered by|lab director|laboratory director|website|tel|hours fasting|date|time|email|req|date ordered|order date|insurance|source|submitted by|approved by|verified by|reviewed by|electronically signed|authorizing provider|site|facility|report|final|end of report|phone number|client address|service|date & time received|race|ethnicity|attending|consulting|pcp|practice|patient id #|member id|external id|alt id|alternate id|alt patient id|health card|received date|hospital id|hospital no|nationality|diagnosis|icd|icd-10",
};

const fields = new Map(
  (Object.keys(labels) as HeaderField[]).flatMap((field) =>
    labels[field].split("|").map((label) => [foldLabel(label), field] as const),
  ),
);

/** Maximum number of words of a label. */
export const MAX_LABEL_WORDS = 5;

function foldLabel(label: string): string {
  return label
    .toLowerCase()
    .replaceAll(/[.:]/g, "")
    .replaceAll(/\b(?:no|number|num)$/g, "#")
    .replaceAll(/\s*([/#&])\s*/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The header field of a label; undefined if the text is no label. */
export const headerFieldOf = (label: string): HeaderField | undefined => fields.get(foldLabel(label));

/** Reports whether a text is or starts with a label of the header or the footer: `Patient: DOE`, `Page 1 of 2`. */
export function startsWithHeaderLabel(text: string): boolean {
  const [before = ""] = text.split(":", 1);
  if (text.includes(":") && headerFieldOf(before) !== undefined) return true;
  if (headerFieldOf(text) !== undefined) return true;
  return /^(?:page\s+\d|clia\b|printed\b|tel\b|phone\b|fax\b|patient\b|physician\b|report(?:ed)?\b|specimen\b|collected\b|received\b|final report|end of report|\(?\d{3}\)?[-\s]\d{3}-\d{4})/i.test(
    text,
  );
}
