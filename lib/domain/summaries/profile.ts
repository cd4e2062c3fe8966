import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { DAY_MS } from "../shared/durations.ts";
import { type ChoiceSchema, dateField, knownChoice, wheelchairUse, whole } from "./summary-fields.ts";
import { defineSummaryKind } from "./summary-kind.ts";

const fieldsWith = (choice: ChoiceSchema) => ({
  height: whole("Height, cm", 10, 300),
  birth_date: dateField("Date of birth").nullable().default(null).meta({ phi: true }),
  wheelchair_use: wheelchairUse,
  gender: choice(["female", "male", "other", "unknown"])
    .nullable()
    .default(null)
    .describe("Gender")
    .meta({ phi: true }),
  sex: choice(["female", "male", "other"]).nullable().default(null).describe("Sex").meta({ phi: true }),
});

/** The user's profile at a provider: one per source. */
export const profile = defineSummaryKind({
  name: "profile",
  ingest: z.object(fieldsWith(knownChoice)),
  wireFields: fieldsWith(openEnum),
  prepare: (given, { receivedAt }) => {
    const about = { key: "profile", providerId: null } as const;
    // Today is a day later east of UTC.
    const isUnborn = given.birth_date !== null && Date.parse(given.birth_date) > receivedAt + DAY_MS;
    if (!isUnborn) return { ...about, fields: given };
    return {
      ...about,
      fields: { ...given, birth_date: null },
      dropped: [{ field: "birth_date", reason: "value_out_of_range" }],
    };
  },
});
