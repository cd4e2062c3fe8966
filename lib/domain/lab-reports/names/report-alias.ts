import * as z from "zod";

/** A test name as a laboratory prints it, and the LOINC code of the test. */
export const reportAlias = z.object({ name: z.string(), loinc: z.string() });
export type ReportAlias = z.output<typeof reportAlias>;

/** A name without differences in case and spacing. */
export const foldAliasName = (name: string): string => name.toLowerCase().replaceAll(/\s+/g, " ").trim();
