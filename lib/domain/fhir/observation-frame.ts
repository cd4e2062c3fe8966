import type { SourceOrigin } from "../connections/sources/source.ts";
import { type ObservationMeasure, profileOf, toCategory, toConcept } from "./measure.ts";
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
  const { provider, type, device_id, app_id } = origin.source;
  const profile = profileOf(row);
  return {
    resourceType: "Observation" as const,
    id: origin.id,
    meta: {
      lastUpdated: new Date(origin.receivedAt).toISOString(),
      source: `${systems.provider}:${provider}`,
      ...(profile === undefined ? {} : { profile: [profileUrl(profile)] }),
      tag: [{ system: systems.sourceType, code: type }, ...(app_id ? [{ system: systems.appId, code: app_id }] : [])],
    },
    category: [toCategory(row.category)],
    code: toConcept(row),
    subject: { reference: `Patient/${origin.userId}`, type: "Patient" },
    ...(device_id ? { device: { type: "Device", identifier: { system: systems.deviceId, value: device_id } } } : {}),
  };
}
