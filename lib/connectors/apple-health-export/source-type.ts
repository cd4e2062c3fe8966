import type { sourceTypes } from "../../domain/connections/sources/source-types.ts";
import type { Element } from "./element.ts";

export type SourceType = (typeof sourceTypes)[number];

/** Source types by device name; the first match wins. */
const sourceTypesByDeviceName: readonly (readonly [RegExp, SourceType])[] = [
  [/\bwatch/i, "watch"],
  [/airpods|powerbeats|earbuds/i, "earphone"],
  [/\bscale\b|\bbody\+|body (cardio|comp|scan)/i, "scale"],
  [/\bring\b|\boura\b/i, "ring"],
  [/\bcuff\b|\bbpm\b|blood pressure/i, "cuff"],
  [/\bhrm|chest|polar h\d|tickr/i, "chest_strap"],
];

const APPLE_PHONE = /\biphone\b|\bipad\b|\bipod\b/i;

/** The source's name with plain spaces: Apple puts no-break spaces into device names. */
export const sourceName = (element: Element): string => (element.attributes.sourceName ?? "").replaceAll("\u00a0", " ");

/**
 * Detects the source type of an element. The device takes precedence, because an app may forward measurements of a
 * watch. `phone` requires that the phone itself wrote the record: the source has its name or the version of its system.
 * All others are `app`.
 */
export function detectSourceType(element: Element): SourceType {
  const device = element.attributes.device?.replaceAll("\u00a0", " ") ?? "";
  const described = ["name", "model", "hardware"].map((key) => deviceField(device, key)).join(" ");
  const source = sourceName(element);
  const known = matchDeviceName(described) ?? matchDeviceName(source);
  if (known) return known;
  if (APPLE_PHONE.test(source)) return "phone";
  const isSystem = deviceField(device, "software") === element.attributes.sourceVersion;
  return isSystem && APPLE_PHONE.test(described) ? "phone" : "app";
}

function matchDeviceName(name: string): SourceType | undefined {
  return sourceTypesByDeviceName.find(([pattern]) => pattern.test(name))?.[1];
}

/** Reads a field of `<<HKDevice: 0x28>, name:Apple Watch, model:Watch, hardware:Watch6,1, software:9.1>`. */
function deviceField(device: string, key: string): string | undefined {
  const start = device.indexOf(`, ${key}:`);
  if (start < 0) return undefined;
  const from = start + key.length + 3;
  const end = device.indexOf(", ", from);
  return device.slice(from, end < 0 ? device.length - 1 : end);
}
