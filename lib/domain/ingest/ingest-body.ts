import * as z from "zod";
import { knownProvider } from "../connections/providers/known-provider.ts";
import { sourceTypeInput } from "../connections/sources/source.ts";
import { dataStages } from "./batch.ts";

/** Id of a device or app in requests: not empty, at most 256 characters, no control characters. */
const originId = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[^\p{Cc}]*$/u, "No control characters");

/**
 * Records by resource. It accepts any record, because the service judges each record on its own. lib/openapi documents the
 * records of each resource in its place.
 */
export const recordLists = z.record(z.string().max(64), z.array(z.unknown())).meta({
  id: "IngestResources",
  description:
    "Records by resource. The service judges each record on its own: it leaves out a record that violates its schema, " +
    "or an invalid field of it, and names both in `rejected`. A sample can have any convertible unit, as UCUM code or " +
    "common spelling",
});

/** Request body of an ingest: data of one source, from a team or a phone. */
export const ingestBody = z.object({
  provider: knownProvider,
  source_type: sourceTypeInput,
  device: z.object({ id: originId.describe("Id of the recording device, as the source names it") }).nullish(),
  app: z.object({ id: originId.describe("Bundle or package id of the recording app") }).nullish(),
  stage: z
    .enum(dataStages)
    .default("daily")
    .describe("`daily` for new data, `historical` for the history that a source delivers once after it connects"),
  is_final: z
    .boolean()
    .default(true)
    .describe("For a history: false while more requests follow, so that only the last one reports it complete"),
  resources: recordLists,
});
