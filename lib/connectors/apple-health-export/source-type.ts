import type { sourceTypes } from "../../domain/sources/source-types.ts";
import type { Element } from "./element.ts";

export type SourceType = (typeof sourceTypes)[number];

/** What names of devices tell, the first that fits. */
const byDeviceName: readonly (readonly [RegExp, SourceType])[] = [
  [/\bwatch/i, "watch"],
  [/airpods|powerbeats|earbuds/i, "earphone"],
  [/\bscale\b|\bbody\+|body (cardio|comp|scan)/i, "scale"],
  [/\bring\b|\boura\b/i, "ring"],
  [/\bcuff\b|\bbpm\b|blood pressure/i, "cuff"],
  [/\bhrm|chest|polar h\d|tickr/i, "chest_strap"],
];

const APPLE_PHONE = /\biphone\b|\bipad\b|\bipod\b/i;

/** The source's name as people read it: Apple puts no-break spaces into the names of devices. */
export const sourceName = (element: Element): string => (element.attributes.sourceName ?? "").replaceAll("\u00a0", " ");

/**
 * What kind of thing measured this. The device is asked first, as an app may only pass on what a watch measured. A phone
 * counts as such where it wrote the record itself (named after it, or in the version of the system), not where an app
 * ran on it. What no name tells is an app.
 */
export function sourceTypeOf(element: Element): SourceType {
  const device = element.attributes.device?.replaceAll("\u00a0", " ") ?? "";
  const described = ["name", "model", "hardware"].map((key) => deviceField(device, key)).join(" ");
  const source = sourceName(element);
  const known = match(described) ?? match(source);
  if (known) return known;
  if (APPLE_PHONE.test(source)) return "phone";
  const isSystem = deviceField(device, "software") === element.attributes.sourceVersion;
  return isSystem && APPLE_PHONE.test(described) ? "phone" : "app";
}

function match(name: string): SourceType | undefined {
  return byDeviceName.find(([pattern]) => pattern.test(name))?.[1];
}

/** A field of `<<HKDevice: 0x28>, name:Apple Watch, model:Watch, hardware:Watch6,1, software:9.1>`. */
function deviceField(device: string, key: string): string | undefined {
  const start = device.indexOf(`, ${key}:`);
  if (start < 0) return undefined;
  const from = start + key.length + 3;
  const end = device.indexOf(", ", from);
  return device.slice(from, end < 0 ? device.length - 1 : end);
}
