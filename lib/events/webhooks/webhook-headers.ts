import * as z from "zod";
import { webhookHeaderFamilies } from "../../contract/compatibility.ts";

/** Headers of the transfer or of the body's format. */
const transferHeader =
  /^(?:host|content-.*|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|authority|proxy-.*)$/i;

/** Whether a team may set a header. Transfer and signature headers are reserved. */
export function isCustomHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return !transferHeader.test(name) && !webhookHeaderFamilies.some((family) => lower.startsWith(`${family}-`));
}

/** Custom headers of an endpoint: names as RFC 9110 defines them, values of visible characters. */
export const webhookHeaders = z
  .record(
    z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, "A header name of up to 100 characters"),
    z.string().regex(/^[\x20-\x7e]{0,1000}$/, "Up to 1,000 visible characters"),
  )
  .refine((headers) => Object.keys(headers).length <= 30, "At most 30 headers");

/** Placeholder for the value of a sensitive header. */
export const MASKED_VALUE = "********";

/** Whether a header's name suggests a credential. */
export function isSensitiveHeader(name: string): boolean {
  return /auth|cookie|credential|key|passw|secret|session|signature|token/i.test(name);
}

/** Minimum length of a part of a value that is masked on its own, such as the token after its scheme. */
const MIN_MASKED_PART_LENGTH = 8;

/** Masks the values of sensitive headers in a receiver's response. Some receivers echo them. */
export function maskSensitiveValues(text: string, headers: Readonly<Record<string, string>>): string {
  const values = Object.entries(headers).flatMap(([name, value]) => (isSensitiveHeader(name) ? [value] : []));
  const parts = values.flatMap((value) =>
    value.split(/[\s,;=:]+/).filter((part) => part.length >= MIN_MASKED_PART_LENGTH),
  );
  const asJson = (value: string) => JSON.stringify(value).slice(1, -1);
  return [...values, ...values.map(asJson), ...parts]
    .filter((value) => value !== "")
    .reduce((masked, value) => masked.replaceAll(value, MASKED_VALUE), text);
}

/** Headers as a team sets them: distinct allowed names, and no placeholder as a value. */
export const webhookHeadersDraft = webhookHeaders.check(({ value, issues }) => {
  const refuse = (name: string, message: string) =>
    void issues.push({ code: "custom", path: [name], message, input: undefined });
  const seen = new Set<string>();
  for (const [name, text] of Object.entries(value)) {
    if (!isCustomHeader(name)) refuse(name, "This header is reserved");
    if (seen.has(name.toLowerCase())) refuse(name, "Duplicate header: names are case-insensitive");
    if (text === MASKED_VALUE)
      refuse(name, "This is the placeholder of a masked value: set all headers with their values");
    seen.add(name.toLowerCase());
  }
});
