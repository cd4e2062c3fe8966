import * as z from "zod";
import { stages } from "./batch.ts";
import { knownProvider } from "./sources/providers.ts";
import { givenSourceType } from "./sources/source.ts";

/** Data of one source, as a team or a phone sends it. */
export const ingestBody = z.object({
  provider: knownProvider,
  source_type: givenSourceType,
  device: z.object({ id: z.string().max(256) }).nullish(),
  stage: z.enum(stages).default("daily"),
  is_final: z
    .boolean()
    .default(true)
    .describe("Of a history: false while more of it comes, so that only its last request tells that it is there"),
  resources: z.record(z.string().max(64), z.array(z.unknown())).meta({
    description: "Records by resource. The unit of a sample may be any of its kind, as UCUM code or as usually spelled",
  }),
});
