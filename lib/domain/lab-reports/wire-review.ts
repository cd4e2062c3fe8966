import * as z from "zod";
import { interpretations } from "../orders/wire-order.ts";
import { loincMatch, reportData } from "./wire-parsing-job.ts";

const line = z.string().trim().max(500);
const optionalLine = line.min(1).nullable();
const day = z.iso.date().nullable();
const personal = optionalLine.meta({ phi: true });
const number = z.number().nullable();

/** A word and its bounding box on a page with a text layer. */
const shownWord = z.object({
  text: z.string().meta({ phi: true }),
  left: z.number(),
  top: z.number(),
  width: z.number(),
  height: z.number(),
});

/** A page for display. The words are empty for an image, which is shown as it is. */
const shownPage = z.object({
  width: z.number(),
  height: z.number(),
  origin: z.enum(["text", "image"]),
  words: z.array(shownWord),
});

/** A report under review, with all data of the review page. */
export const wireReview = z
  .object({
    job_id: z.guid(),
    /** The version that an acceptance must name, so that a reviewer never accepts a changed report. */
    version: z.int(),
    status: z.string(),
    files: z.array(z.object({ media_type: z.string(), size: z.int(), parts: z.int() })),
    pages: z.array(shownPage),
    data: reportData,
    doubts: z.array(z.array(z.string())).describe("The review reasons of each result row"),
  })
  .meta({ id: "ReportReview" });
export type WireReview = z.output<typeof wireReview>;

/** A row as the reviewer leaves it. */
const acceptedRow = z.object({
  from: z.int().min(0).nullable().describe("Index of the row among the extracted rows; null for an added row"),
  test_name: line.min(1),
  value: line.min(1),
  units: optionalLine,
  min_reference_range: number,
  max_reference_range: number,
  interpretation: z.enum(interpretations).nullable(),
  loinc_code: z.string().max(20).nullable(),
});
export type AcceptedRow = z.output<typeof acceptedRow>;

/** Maximum number of rows of one report. */
const MAX_ROWS = 1_000;

/** The reviewed content of a report: its metadata, and its rows in order. */
export const acceptance = z
  .object({
    version: z.int().describe("Version of the report as shown"),
    metadata: z.object({
      patient_first_name: personal,
      patient_last_name: personal,
      dob: day.meta({ phi: true }),
      gender: z.enum(["male", "female", "other"]).meta({ phi: true }),
      lab_name: optionalLine,
      date_reported: day,
      date_collected: day,
      specimen_number: optionalLine,
    }),
    results: z.array(acceptedRow).max(MAX_ROWS),
  })
  .meta({ id: "ReportAcceptance" });
export type Acceptance = z.output<typeof acceptance>;

/** LOINC codes that match a search. */
export const loincSearchResult = z.object({ data: z.array(loincMatch) }).meta({ id: "LoincSearchResult" });
