import * as z from "zod";
import { componentName } from "../../contract/component-name.ts";
import { wireSource } from "../../domain/connections/sources/source.ts";
import { wireShallowStream } from "../../domain/summaries/streams/wire-shallow-stream.ts";
import { summaryKinds } from "../../domain/summaries/summary-kinds.ts";
import { hasEvents } from "../../domain/summaries/summary-names.ts";
import { type KnownResource, timeseriesResources } from "../../domain/timeseries/resources.ts";
import { wireSampleSchema } from "../../domain/timeseries/wire-response.ts";
import type { DataResourceName } from "./catalogue.ts";

const instant = z.iso.datetime({ offset: true });

/** `data` of a historical event: the range of the history, without its data. */
export const historicalPayload = z
  .object({
    user_id: z.guid(),
    start_date: instant,
    end_date: instant,
    is_final: z.literal(true),
    provider: wireSource.shape.provider,
  })
  .meta({ id: "HistoricalData" });

/** Returns the payload schema of a timeseries event. Its samples are in `data.data`. */
function samplesPayload(resource: KnownResource): z.ZodObject {
  return z
    .object({
      user_id: z.guid(),
      source: wireSource,
      source_id: z.int().describe("A stable number for the provider"),
      data: z.array(wireSampleSchema(resource)),
    })
    .meta({ id: componentName(resource.eventName, "Samples") });
}

/** `data` of the daily events of each resource. A summary is `data` itself. */
export const dailyPayloads: ReadonlyMap<DataResourceName, z.ZodObject> = new Map<DataResourceName, z.ZodObject>([
  ...summaryKinds.flatMap(({ name, wire }) => (hasEvents(name) ? [[name, wire] as const] : [])),
  ["workout_stream", wireShallowStream],
  ...timeseriesResources.map((resource) => [resource.eventName, samplesPayload(resource)] as const),
]);
