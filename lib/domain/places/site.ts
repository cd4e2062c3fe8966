import * as z from "zod";
import { billingTypes } from "../lab-tests/lab-account.ts";
import { parseOpeningHours } from "./opening-hours.ts";
import { usStates } from "./us-states.ts";

/** Laboratories with patient service centers. */
export const labsWithSites = ["quest", "labcorp", "bioreference", "sonora_quest"] as const;

/** Capabilities of patient service centers, in the service's own spelling; the wire format also has other spellings. */
export const siteCapabilities = [
  "stat",
  "appointment_scheduling_via_service",
  "appointment_scheduling_with_lab",
] as const;
export type SiteCapability = (typeof siteCapabilities)[number];

const line = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .regex(/^[^\t\r\n]*$/, "is one line without tabs");
/** Semicolon-separated list; duplicates are removed. */
const semicolonList = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.string().transform((text, context): Values[number][] => {
    const given = text.split(";").map((item) => item.trim());
    const items = given.filter((item) => item !== "");
    if (items.every((item) => values.includes(item))) return [...new Set(items)];
    context.addIssue(`is a semicolon-separated list of ${values.join(", ")}`);
    return z.NEVER;
  });
const degrees = (most: number) =>
  z
    .string()
    .regex(/^-?\d{1,3}(\.\d+)?$/, "is a number of degrees")
    .transform(Number)
    .pipe(z.number().min(-most).max(most));
const optional = <Schema extends z.ZodType<unknown, string>>(schema: Schema) =>
  z.union([z.literal("").transform(() => null), schema]);
const phone = z.string().regex(/^\+1\d{10}$/, "is +1 and ten digits");

/** Row of a list of patient service centers, with each column as text; see docs/places.md. */
export const siteRow = z.strictObject({
  lab: z.enum(labsWithSites),
  site_code: z.string().regex(/^[A-Za-z0-9-]{1,20}$/, "has 1 to 20 letters, digits and hyphens"),
  name: line,
  first_line: line,
  second_line: optional(line),
  city: line,
  state: z.string().refine((code) => code in usStates, "is the two-letter code of a US state"),
  zip_code: z.string().regex(/^\d{5}$/, "has five digits"),
  lat: degrees(90),
  lng: degrees(180),
  phone_number: optional(phone),
  fax_number: optional(phone),
  website: optional(z.url({ protocol: /^https$/ })),
  hours: optional(
    z.string().refine((text) => parseOpeningHours(text) !== undefined, "is like Mo-Fr 07:00-15:00; Sa 08:00-12:00"),
  ),
  capabilities: semicolonList(siteCapabilities),
  bill_types: semicolonList(billingTypes),
});

/** Patient service center, in the format of the data file. */
export type Site = z.output<typeof siteRow>;

/** Columns of a list of sites, in the order of the data file. */
export const siteColumns = Object.keys(siteRow.shape) as readonly (keyof Site)[];

/** Encodes a site as one line of the data file: tab-separated values, lists separated by semicolons. */
export function packSite(site: Site): string {
  const text = (value: Site[keyof Site]) => (Array.isArray(value) ? value.join(";") : String(value ?? ""));
  return siteColumns.map((column) => text(site[column])).join("\t");
}

/** Laboratory of an encoded site: its first column. */
export const labOfPackedSite = (line: string): string => line.slice(0, line.indexOf("\t"));

/** Decodes a line of the data file. Skips validation, because a cold start decodes a thousand lines. */
export function unpackSite(line: string): Site {
  const [lab, site_code, name, first_line, second_line, city, state, zip_code, lat, lng, ...rest] = line.split("\t");
  const [phone_number, fax_number, website, hours, capabilities = "", bill_types = ""] = rest;
  const list = (text: string) => (text === "" ? [] : text.split(";"));
  return {
    ...{ lab, site_code, name, first_line, second_line: second_line || null, city, state, zip_code },
    ...{ lat: Number(lat), lng: Number(lng) },
    ...{ phone_number: phone_number || null, fax_number: fax_number || null, website: website || null },
    ...{ hours: hours || null, capabilities: list(capabilities), bill_types: list(bill_types) },
  } as Site;
}
