import type { SourceOrigin } from "../connections/sources/source.ts";
import type { Sample } from "../timeseries/chunk/sample.ts";
import { getResource } from "../timeseries/resources.ts";
import { toWireSample, type WireSample } from "../timeseries/wire-sample.ts";
import { toEffective } from "./effective.ts";
import {
  type ObservationMeasure,
  profileOf,
  toCategory,
  toChoiceComponents,
  toComponents,
  toConcept,
  toValue,
} from "./measure.ts";
import type { Observation, ObservationComponent, ObservationValue } from "./resources.ts";
import type { SampleRow } from "./sample-rows.ts";
import { systems } from "./systems.ts";

/** Where an observation comes from, and when the service received it. */
export interface ObservationOrigin {
  readonly id: string;
  readonly userId: string;
  readonly source: SourceOrigin;
  /** Epoch ms. */
  readonly receivedAt: number;
}

const profileUrl = (name: string) => `http://hl7.org/fhir/StructureDefinition/${name}`;

/** The elements that all Observations of one measure and origin share. */
export function observationFrame(row: ObservationMeasure, origin: ObservationOrigin) {
  const { provider, type, device_id } = origin.source;
  const profile = profileOf(row);
  return {
    resourceType: "Observation" as const,
    id: origin.id,
    meta: {
      lastUpdated: new Date(origin.receivedAt).toISOString(),
      source: `${systems.provider}:${provider}`,
      ...(profile === undefined ? {} : { profile: [profileUrl(profile)] }),
      tag: [{ system: systems.sourceType, code: type }],
    },
    category: [toCategory(row.category)],
    code: toConcept(row),
    subject: { reference: `Patient/${origin.userId}`, type: "Patient" },
    ...(device_id ? { device: { type: "Device", identifier: { system: systems.deviceId, value: device_id } } } : {}),
  };
}

/** Converts a sample to an Observation. Its values and its unit are those of the ordinary API. */
export function toSampleObservation(row: SampleRow, sample: Sample, origin: ObservationOrigin): Observation {
  const wire = toWireSample(getResource(row.resource), sample);
  const components = [...partComponents(row, wire), ...fieldComponents(row, wire)];
  return {
    ...observationFrame(row, origin),
    status: "final",
    ...toEffective(sample.start, sample.end ?? sample.start, sample.offsetS),
    ...sampleValue(row, wire),
    ...(components.length === 0 ? {} : { component: components }),
  };
}

function sampleValue(row: SampleRow, { value }: WireSample): ObservationValue {
  if (row.parts) return {};
  const stage = typeof value === "number" ? row.stages?.[value] : undefined;
  if (stage !== undefined) return { valueCodeableConcept: toStage(Number(value), stage) };
  return toValue(row, value) ?? {};
}

/** A sleep stage with its number in the ordinary API. */
export const toStage = (number: number, name: string) => ({
  coding: [{ system: systems.choice, code: `sleep_stage.${number}`, display: name }],
  text: name,
});

const partComponents = ({ parts = {} }: SampleRow, wire: WireSample): ObservationComponent[] =>
  Object.entries(parts).flatMap(([field, measure]) => toComponents(measure, wire[field]));

/** Components for the type of a sample and for its fields with choices. */
function fieldComponents({ resource, subtype }: SampleRow, wire: WireSample): ObservationComponent[] {
  const { fields } = getResource(resource);
  const choices = fields.filter(({ kind }) => kind !== "number").map(({ name }) => name);
  const ofType = subtype === undefined ? toChoiceComponents(`${resource}.type`, "type", wire.type) : [];
  return [
    ...ofType,
    ...choices.flatMap((name) =>
      toChoiceComponents(`${resource}.${name}`, name, wire[name] as string | readonly string[] | null),
    ),
  ];
}
