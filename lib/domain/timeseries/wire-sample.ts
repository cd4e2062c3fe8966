import { formatInstant } from "../shared/instant.ts";
import type { FieldValue, Sample } from "./chunk/sample.ts";
import type { TimeseriesResource } from "./resource.ts";

/** A sample in its wire form, with the resource's extra fields. */
export interface WireSample {
  id: null;
  timezone_offset: number | null;
  type: string | null;
  unit: string;
  /** Same as start, for clients that know only this name. */
  timestamp: string;
  start: string;
  /** Same as start for points. */
  end: string;
  value?: number | string | null;
  [field: string]: FieldValue | undefined;
}

/** Converts a sample to its wire form. Missing extra fields are null. */
export function toWireSample(resource: TimeseriesResource, sample: Sample): WireSample {
  const start = formatInstant(sample.start);
  const wire: WireSample = {
    id: null,
    timezone_offset: sample.offsetS,
    type: sample.subtype ?? sample.type,
    unit: resource.unit,
    timestamp: start,
    start,
    end: sample.end === undefined || sample.end === sample.start ? start : formatInstant(sample.end),
  };
  if (resource.value !== "none") wire.value = sample.value;
  for (const { name } of resource.fields) wire[name] = sample.fields?.[name] ?? null;
  return wire;
}
