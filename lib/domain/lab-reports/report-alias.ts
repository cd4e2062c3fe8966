import * as z from "zod";

/** A name that a laboratory prints for a test, and the code of the test. */
export const reportAlias = z.object({ name: z.string(), loinc: z.string() });
export type ReportAlias = z.output<typeof reportAlias>;

/** A name without the differences that do not tell tests apart: case and spaces. */
export const foldedName = (name: string): string => name.toLowerCase().replaceAll(/\s+/g, " ").trim();
