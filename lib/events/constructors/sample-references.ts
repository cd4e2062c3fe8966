import * as z from "zod";
import { parseInstant } from "../../domain/shared/instant.ts";
import type { TimeseriesResource } from "../../domain/timeseries/resource.ts";
import { timeseriesResources } from "../../domain/timeseries/resources.ts";

/** A sample in an event, with the fields that locate it in storage. */
interface SampleReference {
  /** Epoch milliseconds. */
  readonly start: number;
  readonly subtype: string;
}

/** The samples of one stream in an event. */
export interface SampleReferences {
  readonly resource: TimeseriesResource;
  readonly provider: string;
  readonly sourceType: string;
  readonly recorder: { readonly deviceId: string | null; readonly appId: string | null };
  readonly samples: readonly SampleReference[];
}

const samplesData = z.object({
  source: z.object({
    provider: z.string(),
    type: z.string(),
    device_id: z.string().nullish(),
    app_id: z.string().nullish(),
  }),
  data: z.array(z.object({ start: z.string(), type: z.string().nullable() })),
});

const DAILY = /^daily\.data\.(\w+)\.(?:created|updated)$/;

/** Returns the samples in the data of an event; undefined for events of other data. */
export function parseSampleReferences(type: string, data: unknown): SampleReferences | undefined {
  const eventName = DAILY.exec(type)?.[1];
  const resource = timeseriesResources.find((one) => one.eventName === eventName);
  const parsed = samplesData.safeParse(data);
  if (!resource || !parsed.success) return undefined;
  const { source, data: rows } = parsed.data;
  const samples = rows.map((sample) => ({
    start: parseInstant(sample.start)?.ms ?? Number.NaN,
    subtype: (resource.type.identity ? sample.type : null) ?? "",
  }));
  const recorder = { deviceId: source.device_id ?? null, appId: source.app_id ?? null };
  return { resource, provider: source.provider, sourceType: source.type, recorder, samples };
}
