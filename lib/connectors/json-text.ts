import * as z from "zod";

/** A schema of a string that contains JSON. @param schema of the parsed value. */
export const jsonTextSchema = <S extends z.ZodType>(schema: S) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue("not JSON");
        return z.NEVER;
      }
    })
    .pipe(schema);
