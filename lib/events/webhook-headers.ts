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
