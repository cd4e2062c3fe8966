import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { dateField, wheelchairUse, whole } from "./summary-fields.ts";
import { defineSummaryKind } from "./summary-kind.ts";

const fields = {
  height: whole("Height, cm", 10, 300),
  birth_date: dateField("Date of birth").nullable().default(null).meta({ phi: true }),
  wheelchair_use: wheelchairUse,
  gender: openEnum(["female", "male", "other", "unknown"])
    .nullable()
    .default(null)
    .describe("Gender")
    .meta({ phi: true }),
  sex: openEnum(["female", "male", "other"]).nullable().default(null).describe("Sex").meta({ phi: true }),
};

/** The user's profile at a provider: one per source. */
export const profile = defineSummaryKind({
  name: "profile",
  ingest: z.object(fields),
  wireFields: fields,
  prepare: (given) => ({ key: "profile", providerId: null, fields: given }),
});
