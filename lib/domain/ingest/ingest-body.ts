import * as z from "zod";
import { knownProvider } from "../connections/providers/providers.ts";
import { sourceTypeInput } from "../connections/sources/source.ts";
import { dataStages } from "./batch.ts";

/** Request body of an ingest: data of one source, from a team or a phone. */
export const ingestBody = z.object({
  provider: knownProvider,
  source_type: sourceTypeInput,
  device: z.object({ id: z.string().max(256) }).nullish(),
  stage: z.enum(dataStages).default("daily"),
  is_final: z
    .boolean()
    .default(true)
    .describe("For a history: false while more requests follow, so that only the last one reports it complete"),
  resources: z.record(z.string().max(64), z.array(z.unknown())).meta({
    description: "Records by resource. A sample can have any convertible unit, as UCUM code or common spelling",
  }),
});
