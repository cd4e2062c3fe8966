import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import * as z from "zod";

/** The unassigned US area code 555, for the phone numbers of synthetic people. */
const FICTIONAL_NUMBER = /^\+1555\d{7}$/;

/** Converts a phone number to E.164; undefined for an impossible number. */
export function toE164(text: string): string | undefined {
  const parsed = parsePhoneNumberFromString(text, "US");
  return parsed && (parsed.isValid() || FICTIONAL_NUMBER.test(parsed.number)) ? parsed.number : undefined;
}

/** A phone number with country code, or a US number without; stored as E.164. */
export const phoneNumber = z
  .string()
  .max(40)
  .transform((text, context) => {
    const number = toE164(text);
    if (number !== undefined) return number;
    context.addIssue("Expected a phone number with country code, for example +1 602 555 0123");
    return z.NEVER;
  })
  .meta({ phi: true });
