import { patientReference } from "./lab-order.ts";
import type { FhirResource } from "./resources.ts";
import type { ObservedRecord } from "./summary-observation.ts";
import { systems } from "./systems.ts";

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** Converts a device of a user to a Device. Its identifier is the source's own id, which Observations name too. */
export function toDevice({ id, user_id, fields, updated_at, source }: ObservedRecord): FhirResource {
  const [manufacturer, model, version] = [
    text(fields.device_manufacturer),
    text(fields.device_model),
    text(fields.device_version),
  ];
  const resource = {
    resourceType: "Device" as const,
    id,
    meta: {
      lastUpdated: updated_at,
      source: `${systems.provider}:${source.provider}`,
      tag: [{ system: systems.sourceType, code: source.type }],
    },
    identifier: [{ system: systems.deviceId, value: String(fields.device_id) }],
    ...(manufacturer ? { manufacturer } : {}),
    ...(model ? { deviceName: [{ name: model, type: "model-name" }], modelNumber: model } : {}),
    ...(version ? { version: [{ value: version }] } : {}),
    type: { text: source.type.replaceAll("_", " ") },
    patient: patientReference(user_id),
  };
  return resource;
}
