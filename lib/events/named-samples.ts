import * as z from "zod";
import { parseInstant } from "../domain/timeseries/instant.ts";
import type { TimeseriesResource } from "../domain/timeseries/resource.ts";
import { timeseriesResources } from "../domain/timeseries/resources.ts";

/** A sample as an event names it, with where in time and beside which others it is stored. */
export interface NamedSample {
  /** Epoch milliseconds. */
  readonly start: number;
  readonly subtype: string;
}

/** The samples that an event names, all of one stream. */
export interface NamedSamples {
  readonly resource: TimeseriesResource;
  readonly provider: string;
  readonly sourceType: string;
  readonly samples: readonly NamedSample[];
}

const samplesData = z.object({
  source: z.object({ provider: z.string(), type: z.string() }),
  data: z.array(z.object({ start: z.string(), type: z.string().nullable() })),
});

const DAILY = /^daily\.data\.(\w+)\.(?:created|updated)$/;

/** The samples that the data of an event names; undefined for events of other things. */
export function namedSamples(type: string, data: unknown): NamedSamples | undefined {
  const eventName = DAILY.exec(type)?.[1];
  const resource = timeseriesResources.find((one) => one.eventName === eventName);
  const parsed = samplesData.safeParse(data);
  if (!resource || !parsed.success) return undefined;
  const { source, data: told } = parsed.data;
  const samples = told.map((sample) => ({
    start: parseInstant(sample.start)?.ms ?? Number.NaN,
    subtype: (resource.type.identity ? sample.type : null) ?? "",
  }));
  return { resource, provider: source.provider, sourceType: source.type, samples };
}
