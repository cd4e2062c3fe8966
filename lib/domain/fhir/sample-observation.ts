import type { Sample } from "../timeseries/chunk/sample.ts";
import { getResource } from "../timeseries/resources.ts";
import { toWireSample, type WireSample } from "../timeseries/wire-sample.ts";
import { toEffective } from "./effective.ts";
import { profileOf, toChoice, toChoiceComponents, toComponents, toStage, toValue } from "./measure.ts";
import { type ObservationOrigin, observationFrame } from "./observation-frame.ts";
import type { Observation, ObservationComponent, ObservationValue } from "./resources.ts";
import type { SampleRow } from "./sample-rows.ts";

/** The field with the place of a measurement. It has an element of its own. */
const SITE = "sensor_location";

/** Converts a sample to an Observation. Its values and its unit are those of the ordinary API. */
export function toSampleObservation(row: SampleRow, sample: Sample, origin: ObservationOrigin): Observation {
  const wire = toWireSample(getResource(row.resource), sample);
  const site = wire[SITE];
  const components = [...partComponents(row, wire), ...fieldComponents(row, wire)];
  return {
    ...observationFrame(row, origin),
    status: "final",
    // The official validator accepts no period in a vital signs profile (constraint vs-1), so the start stands for it.
    ...toEffective(sample.start, profileOf(row) ? sample.start : (sample.end ?? sample.start), sample.offsetS),
    ...sampleValue(row, wire),
    ...(typeof site === "string" ? { bodySite: toChoice(SITE, site) } : {}),
    ...(components.length === 0 ? {} : { component: components }),
  };
}

function sampleValue(row: SampleRow, { value }: WireSample): ObservationValue {
  if (row.parts) return {};
  const stage = typeof value === "number" ? row.stages?.[value] : undefined;
  if (stage !== undefined) return { valueCodeableConcept: toStage(Number(value), stage) };
  return toValue(row, value) ?? {};
}

const partComponents = ({ parts = {} }: SampleRow, wire: WireSample): ObservationComponent[] =>
  Object.entries(parts).flatMap(([field, measure]) => toComponents(measure, wire[field]));

/** Components for the type of a sample and for its fields with choices. */
function fieldComponents({ resource, subtype }: SampleRow, wire: WireSample): ObservationComponent[] {
  const { fields } = getResource(resource);
  const choices = fields.filter(({ name, kind }) => kind !== "number" && name !== SITE).map(({ name }) => name);
  const ofType = subtype === undefined ? toChoiceComponents(`${resource}.type`, "type", wire.type) : [];
  return [
    ...ofType,
    ...choices.flatMap((name) =>
      toChoiceComponents(`${resource}.${name}`, name, wire[name] as string | readonly string[] | null),
    ),
  ];
}
