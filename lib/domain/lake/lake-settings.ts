import * as z from "zod";
import { lakeTableNames } from "./lake-tables.ts";

/** Whether stored data of a team goes to its lake. */
export const lakeSettings = z.object({ enabled: z.boolean(), changed_at: z.string() });
export type LakeSettings = z.output<typeof lakeSettings>;

/** The current state of a table: which metadata file describes it. */
export const lakePointer = z.object({
  name: z.enum(lakeTableNames),
  table_id: z.string(),
  /** URI of the metadata file. */
  metadata_location: z.string(),
  /** Its key in the bucket. */
  metadata_key: z.string(),
  /** Number of commits. */
  version: z.int(),
  rows: z.int(),
  files: z.int(),
  updated_at: z.string(),
  /** When the maintenance of the table is due. */
  due_at: z.string(),
});
export type LakePointer = z.output<typeof lakePointer>;

/** The lake of a team, as the API shows it. */
export const wireLake = z
  .object({
    enabled: z.boolean().describe("Whether stored data goes to the lake"),
    tables: z.array(
      z.object({
        name: z.enum(lakeTableNames),
        metadata_location: z.string().describe("Metadata file of the table in the format Apache Iceberg, as S3 URI"),
        rows: z.int().describe("Number of rows; each is a version of a record"),
        files: z.int().describe("Number of data files"),
        updated_at: z.iso.datetime().describe("When the table last changed"),
      }),
    ),
  })
  .meta({ id: "Lake" });
