import * as z from "zod";
import { webhookHeaderFamilies } from "../contract/dialect.ts";

/** Headers that say how a message is transferred, or what its body is. */
const ofTransfer =
  /^(?:host|content-.*|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|authority|proxy-.*)$/i;

/** Whether a team may set a header of this name on its webhooks; those of transfer and signature are the sender's alone. */
export function isFreeHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return !ofTransfer.test(name) && !webhookHeaderFamilies.some((family) => lower.startsWith(`${family}-`));
}

/** Headers of an endpoint's own: names as RFC 9110 has them, and values of visible characters. */
export const webhookHeaders = z
  .record(
    z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, "A header name of up to 100 characters"),
    z.string().regex(/^[\x20-\x7e]{0,1000}$/, "Up to 1,000 visible characters"),
  )
  .refine((headers) => Object.keys(headers).length <= 30, "At most 30 headers");

/** What stands for the value of a header that is nobody's business. */
export const MASK = "********";

/** Whether the value of a header lets somebody in, by its name. */
export function isSensitiveHeader(name: string): boolean {
  return /auth|cookie|credential|key|passw|secret|session|signature|token/i.test(name);
}

/** Parts of a value so long are masked alone too: the token after its scheme. */
const LONG_PART = 8;

/** A receiver's text without the values of sensitive headers, which some receivers repeat. */
export function maskSensitive(text: string, headers: Readonly<Record<string, string>>): string {
  const values = Object.entries(headers).flatMap(([name, value]) => (isSensitiveHeader(name) ? [value] : []));
  const parts = values.flatMap((value) => value.split(/[\s,;=:]+/).filter((part) => part.length >= LONG_PART));
  const asJson = (value: string) => JSON.stringify(value).slice(1, -1);
  return [...values, ...values.map(asJson), ...parts]
    .filter((value) => value !== "")
    .reduce((masked, value) => masked.replaceAll(value, MASK), text);
}

/** Headers as a team sets them: each name once and free, and no mask in the place of a value. */
export const webhookHeadersDraft = webhookHeaders.check(({ value, issues }) => {
  const refuse = (name: string, message: string) =>
    void issues.push({ code: "custom", path: [name], message, input: undefined });
  const seen = new Set<string>();
  for (const [name, text] of Object.entries(value)) {
    if (!isFreeHeader(name)) refuse(name, "A header of the sender's own");
    if (seen.has(name.toLowerCase())) refuse(name, "Named twice: capital letters make no difference");
    if (text === MASK) refuse(name, "The mask of a value is no value: set all headers with their values");
    seen.add(name.toLowerCase());
  }
});
