import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import * as z from "zod";

/** The US area code that belongs to nobody, so that made-up people can have a telephone number. */
const MADE_UP = /^\+1555\d{7}$/;

/** A telephone number as it is dialled from anywhere (E.164), or undefined where there can be no such number. */
export function toE164(text: string): string | undefined {
  const parsed = parsePhoneNumberFromString(text, "US");
  return parsed && (parsed.isValid() || MADE_UP.test(parsed.number)) ? parsed.number : undefined;
}

/** A telephone number with its country code, or a US one without; kept as E.164. */
export const phoneNumber = z
  .string()
  .max(40)
  .transform((text, context) => {
    const number = toE164(text);
    if (number !== undefined) return number;
    context.addIssue("Not a telephone number: give the country code, as in +1 602 555 0123");
    return z.NEVER;
  })
  .meta({ phi: true });
