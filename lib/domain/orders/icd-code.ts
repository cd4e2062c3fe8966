import * as z from "zod";
import { dotted, readCode } from "../insurance/diagnoses.ts";

/** A diagnosis of an order, built like a code of ICD-10-CM; kept in capitals with its dot. */
export const icdCode = z
  .string()
  .max(10)
  .transform((text, context) => {
    const code = readCode(text);
    if (code !== undefined) return dotted(code);
    context.addIssue("Not built like a code of ICD-10-CM");
    return z.NEVER;
  });
