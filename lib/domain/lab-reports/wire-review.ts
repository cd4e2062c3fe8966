import * as z from "zod";
import { interpretations } from "../orders/wire-order.ts";
import { loincMatch, reportData } from "./wire-parsing-job.ts";

const line = z.string().trim().max(500);
const said = line.min(1).nullable();
const personal = said.meta({ phi: true });
const number = z.number().nullable();

/** A word where it stands on a page that was text. */
const shownWord = z.object({
  text: z.string().meta({ phi: true }),
  left: z.number(),
  top: z.number(),
  width: z.number(),
  height: z.number(),
});

/** A page as it is shown: its words, none for one that is a picture and is shown as such. */
const shownPage = z.object({
  width: z.number(),
  height: z.number(),
  origin: z.enum(["text", "image"]),
  words: z.array(shownWord),
});

/** A report that is to be looked through, with all that the page shows of it. */
export const wireReview = z
  .object({
    job_id: z.guid(),
    /** What an acceptance has to name, so that nobody accepts what has changed meanwhile. */
    version: z.int(),
    status: z.string(),
    files: z.array(z.object({ media_type: z.string(), size: z.int(), parts: z.int() })),
    pages: z.array(shownPage),
    data: reportData,
    doubts: z.array(z.array(z.string())).describe("Of each row of the results, why somebody should look at it"),
  })
  .meta({ id: "ReportReview" });
export type WireReview = z.output<typeof wireReview>;

/** A row as a person leaves it. */
const acceptedRow = z.object({
  from: z
    .int()
    .min(0)
    .nullable()
    .describe("The place of the row among those that were read; null for one that was added"),
  test_name: line.min(1),
  value: line.min(1),
  units: said,
  min_reference_range: number,
  max_reference_range: number,
  interpretation: z.enum(interpretations).nullable(),
  loinc_code: z.string().max(20).nullable(),
});
export type AcceptedRow = z.output<typeof acceptedRow>;

/** Rows that one report may have. */
const MOST_ROWS = 1_000;

/** What a person says of a report: who it is about, and its rows in their order. */
export const acceptance = z
  .object({
    version: z.int(),
    metadata: z.object({
      patient_first_name: personal,
      patient_last_name: personal,
      dob: personal,
      gender: z.enum(["male", "female", "other"]).meta({ phi: true }),
      lab_name: said,
      date_reported: said,
      date_collected: said,
      specimen_number: said,
    }),
    results: z.array(acceptedRow).max(MOST_ROWS),
  })
  .meta({ id: "ReportAcceptance" });
export type Acceptance = z.output<typeof acceptance>;

/** Codes that fit what was typed. */
export const foundLoinc = z.object({ data: z.array(loincMatch) }).meta({ id: "LoincSearchResult" });
