import * as z from "zod";
import { usStates } from "../../places/us-states.ts";

const line = z.string().trim().min(1).max(120).meta({ phi: true });
const code = z.string().trim().min(1).max(20);

/** Optional lines are stored as null when empty. */
const orNull = (text: string | null | undefined) => (text ? text : null);

const addressInput = z.object({
  first_line: line,
  second_line: z.string().trim().max(120).nullish().transform(orNull).meta({ phi: true }),
  city: line,
  state: z.string().trim().min(1).max(50),
  zip_code: code.nullish().meta({ phi: true }),
  zip: code.nullish().meta({ phi: true }),
  country: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^([A-Z]{2}|USA)$/, "Expected a two-letter country code, for example US")
    .nullish(),
  access_notes: z.string().trim().max(1_000).nullish().transform(orNull).meta({ phi: true }),
});

/**
 * An address in requests: the zip code as `zip_code` or as `zip`, in the US by default. A US address has a valid state
 * and zip code.
 */
export const address = addressInput.transform(({ zip_code, zip, country, state, ...rest }, context) => {
  const isUs = ["US", "USA", undefined, null].includes(country);
  const zipCode = zip_code ?? zip;
  const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
  if (!zipCode) refuse("zip_code", "Required");
  if (zip_code && zip && zip_code !== zip) refuse("zip", "Differs from zip_code");
  if (isUs && zipCode && !/^\d{5}(-\d{4})?$/.test(zipCode))
    refuse("zip_code", "Expected five digits, or nine with a hyphen");
  if (isUs && !(state.toUpperCase() in usStates)) refuse("state", "Expected the two-letter code of a US state");
  return {
    ...rest,
    state: isUs ? state.toUpperCase() : state,
    ...zipFields(zipCode ?? "", isUs ? "US" : String(country)),
  };
});

/** Responses carry the zip code under both names, for both kinds of clients. */
const zipFields = (zipCode: string, country: string) => ({ zip_code: zipCode, zip: zipCode, country });

/** An address as stored and returned. */
export const wireAddress = z
  .object({
    first_line: line,
    second_line: z.string().nullable().meta({ phi: true }),
    city: z.string().meta({ phi: true }),
    state: z.string(),
    zip_code: z.string().meta({ phi: true }),
    zip: z.string().meta({ phi: true }),
    country: z.string(),
    access_notes: z.string().nullable().meta({ phi: true }),
  })
  .meta({ id: "Address" });
export type Address = z.output<typeof wireAddress>;
