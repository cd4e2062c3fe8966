import * as z from "zod";
import { formatIcdCode, parseIcdCode } from "../../insurance/diagnosis-catalogue.ts";

/** Diagnosis code of an order in the form of ICD-10-CM, normalized to upper case with its dot. */
export const icdCode = z
  .string()
  .max(10)
  .transform((text, context) => {
    const code = parseIcdCode(text);
    if (code !== undefined) return formatIcdCode(code);
    context.addIssue("Not in the form of an ICD-10-CM code");
    return z.NEVER;
  });
