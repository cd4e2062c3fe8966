import * as z from "zod";

/** Schemas that many endpoints share. */

export const noFields = z.object({});

/** Path parameters of routes below one user. */
export const userParams = z.object({
  user_id: z.guid().toLowerCase().meta({ description: "The service's id of the user" }),
});

export const successResponse = z.object({ success: z.boolean() }).meta({ id: "Success" });

/** Body of a response without content. */
export const noContent = z.undefined().meta({ description: "No content" });

/** A response body in PDF. */
export const pdfDocument = z.string().meta({ description: "A PDF document", mediaType: "application/pdf" });

/** An integer in a query string, within bounds. */
export const queryInteger = (minimum: number, maximum: number) => z.coerce.number().int().min(minimum).max(maximum);

/** An instant with any offset, converted to UTC with milliseconds: the form in which instants are stored. */
export const utcInstant = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

/** A United States zip code in a query string: exactly five digits. */
export const queryZipCode = z.string().regex(/^\d{5}$/, "Five digits");

/** `true` or `false` in a query string. */
export const queryBoolean = z.enum(["true", "false"]).transform((given) => given === "true");

/** Query parameters of numbered pages. */
export const pageQuery = {
  page: queryInteger(1, 1_000_000).default(1),
  size: queryInteger(1, 100).default(50),
};

/** Path parameters of routes below one lab test. */
export const labTestParams = z.object({
  lab_test_id: z.guid().toLowerCase().meta({ description: "The service's id of the lab test" }),
});
