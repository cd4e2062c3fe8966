import { type RecordSource, type SourceType, stableId } from "../mapping-outcome.ts";
import type { Element } from "./element.ts";

/** The source of records that Apple merges from all devices and apps. */
export const mergedSource: RecordSource = { type: "multiple_sources", deviceId: null, appId: null };

/** The app of records that the system of a phone or watch wrote. Their source has the name that its owner gave it. */
const APPLE_HEALTH = "com.apple.health";
/** Maximum length of an id in the ingestion API. */
const MAX_ID_LENGTH = 256;
const MAX_CACHED_SOURCES = 1_000;

/**
 * Reads the source of an element. The device consists of the parts of the device text that an update does not change:
 * name, manufacturer, model and hardware. An export names an app by its display name, not by its bundle id.
 */
export function readSource(element: Element): RecordSource {
  const { sourceName: name = "", sourceVersion = "", device = "" } = element.attributes;
  const text = JSON.stringify([name, sourceVersion, device]);
  const source = sources.get(text) ?? toSource(element);
  // Device texts contain an address of memory, so an export has any number of them.
  if (sources.size >= MAX_CACHED_SOURCES) sources.clear();
  sources.set(text, source);
  return source;
}

const sources = new Map<string, RecordSource>();

function toSource(element: Element): RecordSource {
  const { name, manufacturer, model, hardware } = deviceFields(element);
  const device = [name, manufacturer, model, hardware].filter((part) => part !== undefined && part !== "").join(", ");
  const app = isAppleSystem(element) ? APPLE_HEALTH : sourceName(element);
  return { type: readSourceType(element), deviceId: toId(device), appId: toId(app) };
}

/** Returns text as an id; a digest of it if the API refuses it. */
function toId(text: string): string | null {
  const id = text.trim();
  if (id === "") return null;
  return id.length > MAX_ID_LENGTH || /\p{Cc}/u.test(id) ? stableId(id) : id;
}

/** Source types by device name; the first match wins. */
const sourceTypesByDeviceName: readonly (readonly [RegExp, SourceType])[] = [
  [/\bwatch/i, "watch"],
  [/airpods|powerbeats|earbuds/i, "earphone"],
  [/\bscale\b|\bbody\+|body (cardio|comp|scan)/i, "scale"],
  [/\bring\b|\boura\b/i, "ring"],
  [/\bcuff\b|\bbpm\b|blood pressure/i, "cuff"],
  [/\bhrm|chest|polar h\d|tickr/i, "chest_strap"],
];

const APPLE_WATCH = /\bapple watch\b/i;
const APPLE_PHONE = /\biphone\b|\bipad\b|\bipod\b/i;

/** The source's name with plain spaces: Apple puts no-break spaces into device names. */
export const sourceName = (element: Element): string => (element.attributes.sourceName ?? "").replaceAll("\u00a0", " ");

/**
 * Reads the source type of an element. The device takes precedence, because an app may forward measurements of a
 * watch. `phone` requires that the phone itself wrote the record: the source has its name or the version of its system.
 * All others are `app`.
 */
function readSourceType(element: Element): SourceType {
  const described = describeDevice(element);
  const source = sourceName(element);
  const known = matchDeviceName(described) ?? matchDeviceName(source);
  if (known) return known;
  if (APPLE_PHONE.test(source)) return "phone";
  return hasSystemVersion(element) && APPLE_PHONE.test(described) ? "phone" : "app";
}

/** Whether the system of a phone or watch wrote an element: the source has its name or the version of its system. */
function isAppleSystem(element: Element): boolean {
  const source = sourceName(element);
  if (APPLE_PHONE.test(source) || APPLE_WATCH.test(source)) return true;
  if (element.attributes.sourceVersion === undefined) return false;
  const described = describeDevice(element);
  return hasSystemVersion(element) && (APPLE_PHONE.test(described) || APPLE_WATCH.test(described));
}

/** The fields of a device text that identify the device, and the version of its software. */
interface DeviceFields {
  readonly name?: string | undefined;
  readonly manufacturer?: string | undefined;
  readonly model?: string | undefined;
  readonly hardware?: string | undefined;
  readonly software?: string | undefined;
}

/** Reads the device text of an element. */
function deviceFields({ attributes }: Element): DeviceFields {
  const device = attributes.device?.replaceAll("\u00a0", " ") ?? "";
  const field = (key: keyof DeviceFields) => deviceField(device, key);
  return {
    name: field("name"),
    manufacturer: field("manufacturer"),
    model: field("model"),
    hardware: field("hardware"),
    software: field("software"),
  };
}

function describeDevice(element: Element): string {
  const { name, model, hardware } = deviceFields(element);
  return [name, model, hardware].join(" ");
}

function hasSystemVersion(element: Element): boolean {
  return deviceFields(element).software === element.attributes.sourceVersion;
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
