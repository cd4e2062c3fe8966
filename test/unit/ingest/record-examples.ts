import { recordResources } from "../../../lib/domain/ingest/record-schemas.ts";
import type { SummaryName } from "../../../lib/domain/summaries/summary-names.ts";
import type { KnownResource } from "../../../lib/domain/timeseries/resources.ts";
import { findResource } from "../../../lib/domain/timeseries/resources.ts";
import { listSpellings } from "../../../lib/domain/timeseries/units.ts";
import { summaryExamples } from "../../local/service/summaries/summary-examples.ts";

type Example = Readonly<Record<string, unknown>>;

const start = "2026-05-01T08:00:00+00:00";

/** A sample with every field that its resource has. */
function createSample(resource: KnownResource): Example {
  const [, max] = resource.bounds;
  const number = resource.value === "integer" || max <= 1 ? max : max / 2;
  const fields = resource.fields.map((rule) => {
    if (rule.kind === "number") return [rule.name, rule.bounds[1] / 2];
    return [rule.name, rule.kind === "choice" ? rule.values[0] : rule.values];
  });
  return {
    timestamp: start,
    start,
    end: "2026-05-01T08:10:00+00:00",
    timezone_offset: 7_200,
    type: resource.type.values?.[0] ?? "lead_1",
    unit: listSpellings(resource)[0],
    ...(resource.value === "none" ? {} : { value: resource.value === "string" ? "A note" : number }),
    ...Object.fromEntries(fields),
  };
}

const samplesOf = (name: string): Example[] => [createSample(findResource(name)!)];

const streamExamples: Readonly<Record<string, Example>> = {
  workout_stream: {
    provider_id: "run-1",
    time: [1_777_615_200, 1_777_615_201],
    ...{ cadence: [80, null], altitude: [31, 31.5], velocity_smooth: [3.4, 3.5], heartrate: [140, 141] },
    ...{ lat: [52.5, 52.5], lng: [13.4, 13.4], distance: [0, 3.4], power: [240, 250], resistance: [1, 1] },
    temperature: [14, 14.5],
  },
  sleep_stream: {
    provider_id: "night-1",
    ...{ hrv: samplesOf("hrv"), heartrate: samplesOf("heartrate") },
    ...{ hypnogram: samplesOf("hypnogram"), respiratory_rate: samplesOf("respiratory_rate") },
  },
};

/** A valid record of each resource of a batch, with every field that a sender can set. All lie on 2026-05-01. */
export const recordExamples: ReadonlyMap<string, Example> = new Map(
  recordResources.map((name) => {
    const resource = findResource(name);
    if (resource) return [name, createSample(resource)];
    return [name, streamExamples[name] ?? summaryExamples[name as SummaryName].record];
  }),
);
