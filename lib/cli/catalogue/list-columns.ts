import * as z from "zod";
import { isLoincCode } from "../../domain/lab-tests/loinc-code.ts";

const days = z.coerce.number().int().min(0).max(60);
const slug = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "Lower-case letters and digits, joined by hyphens");
const words = z
  .string()
  .default("")
  .transform((text) => text.split(/\s+/).filter((word) => word !== ""));
const yesNo = z
  .enum(["yes", "no"], "yes or no")
  .default("no")
  .transform((given) => given === "yes");
/** Dollars with two decimals, as cents. */
const dollars = z
  .string()
  .regex(/^\d{1,6}\.\d{2}$/, "Dollars with two decimals")
  .transform((text) => Math.round(Number(text) * 100));

export const loincCode = z.string().refine(isLoincCode, "Not a LOINC code, or its check digit is wrong");

/** Columns of data/lab-catalogue/results.csv. A result without a price can only be ordered as part of a panel. */
export const resultColumns = z.object({
  number: z.coerce.number().int().min(1).max(999),
  loinc: loincCode,
  slug,
  name: z.string(),
  unit: z.string().nullable().default(null),
  section: z.string(),
  sample: z.enum(["serum", "urine", "stool"]),
  price: dollars.optional(),
  common_tat_days: days,
  worst_case_tat_days: days,
  aoe: z.string().default(""),
  fasting: yesNo,
  also: z.string().default(""),
  description: z.string(),
  loinc_name: z.string(),
  confirmed_in: z.string(),
});
export type ResultRow = z.output<typeof resultColumns>;

/** Columns of data/lab-catalogue/panels.csv; `results` and `reflex` are slugs of results. */
export const panelColumns = z.object({
  number: z.coerce.number().int().min(1).max(999),
  slug,
  name: z.string(),
  section: z.string(),
  price: dollars,
  common_tat_days: days,
  worst_case_tat_days: days,
  a_la_carte: yesNo,
  fasting: yesNo,
  aoe: z.string().default(""),
  also: z.string().default(""),
  description: z.string(),
  results: words,
  reflex: words,
});
export type PanelRow = z.output<typeof panelColumns>;

/** Columns of data/lab-catalogue/offers.csv: sections or single tests that a lab offers; `*` means all sections. */
export const offerColumns = z.object({
  lab: slug.or(z.string().regex(/^[a-z_]+$/)),
  first_code: z.coerce.number().int().min(1),
  price_percent: z.coerce.number().int().min(1),
  extra_days: days,
  sections: z
    .string()
    .default("")
    .transform((text) => text.split("|").filter((section) => section !== "")),
  slugs: words,
});
export type OfferRow = z.output<typeof offerColumns>;

/** Columns of data/lab-catalogue/questions.csv. Answers have the format `CODE=Text|CODE=Text`. */
export const questionColumns = z.object({
  group: z.string(),
  id: z.coerce.number().int().min(1),
  required: yesNo,
  type: z.enum(["choice", "text", "numeric", "multi_choice"]),
  sequence: z.coerce.number().int().min(1),
  code: z.string(),
  question: z.string(),
  answers: z
    .string()
    .default("")
    .transform((text) => text.split("|").filter((answer) => answer !== "")),
  constraint: z.string().nullable().default(null),
  default: z.string().nullable().default(null),
});
export type QuestionRow = z.output<typeof questionColumns>;

/** Columns of a lab's compendium. Codes in lists are separated by spaces. */
export const compendiumColumns = z.object({
  provider_id: z.string().max(40),
  name: z.string().max(200),
  type: z.enum(["biomarker", "panel"]),
  loinc_codes: words.pipe(z.array(loincCode).min(1, "At least one LOINC code")),
  price: dollars,
  common_tat_days: days,
  worst_case_tat_days: days,
  a_la_carte: yesNo,
  sample: z.enum(["serum", "urine", "stool", "saliva", "dried_blood_spot"]).default("serum"),
  fasting: yesNo,
  section: z.string().default("other"),
  aoe: z.string().default(""),
  also: z.string().default(""),
  description: z.string().default(""),
  cpt_codes: words,
});
export type CompendiumRow = z.output<typeof compendiumColumns>;
