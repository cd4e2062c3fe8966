import { parseInstant } from "../../domain/shared/instant.ts";
import { formatUtc } from "../format-utc.ts";
import { MG_DL_PER_MMOL_L } from "../glucose-unit.ts";
import type { Device, Event, GlucoseReading } from "./replies.ts";

const QUARTER_HOUR_S = 900;

/**
 * Converts the timestamps of a record: `systemTime` is UTC, also where it states an offset of zero, `displayTime` is the
 * user's local time.
 */
function toTimes({ systemTime, displayTime }: Pick<GlucoseReading, "systemTime" | "displayTime">) {
  const system = parseInstant(systemTime) ?? parseInstant(`${systemTime}Z`);
  if (!system) return [];
  return [
    {
      timestamp: formatUtc(system.ms),
      timezone_offset: displayOffset(system.ms, displayTime) ?? (system.offsetS || null),
    },
  ];
}

/** UTC offset of the display time, seconds: as written, or its difference from UTC. Users can set any display time. */
function displayOffset(systemMs: number, displayTime: string | null | undefined): number | null {
  const written = parseInstant(displayTime);
  if (written) return written.offsetS;
  const shown = parseInstant(`${displayTime}Z`);
  if (!shown) return null;
  const offsetS = Math.round((shown.ms - systemMs) / 1000 / QUARTER_HOUR_S) * QUARTER_HOUR_S;
  return Math.abs(offsetS) <= 14 * 3600 ? offsetS : null;
}

/** Thresholds that tell the units apart, with a margin: sensors report at most 22.2 mmol/L and at least 40 mg/dL. */
const MAX_MMOL_L = 27;
const MIN_MG_DL = 36;

/** The unit of a reading. An unknown unit is inferred from the value: the ranges of both units do not overlap. */
function detectUnit({ value, unit }: GlucoseReading): "mg/dL" | "mmol/L" | undefined {
  if (unit === "mg/dL" || unit === "mmol/L") return unit;
  if (value == null || (unit != null && unit !== "unknown")) return undefined;
  return value >= MIN_MG_DL ? "mg/dL" : value <= MAX_MMOL_L ? "mmol/L" : undefined;
}

/** Converts a reading to mmol/L; empty without a value or with an ambiguous unit. */
export function toGlucose(reading: GlucoseReading) {
  const { value } = reading;
  const unit = detectUnit(reading);
  if (value == null || unit === undefined) return [];
  return toTimes(reading).map((time) => ({ ...time, value: unit === "mg/dL" ? value / MG_DL_PER_MMOL_L : value }));
}

const insulins: Readonly<Record<string, string>> = { fastActing: "rapid_acting", longActing: "long_acting" };

/** Converts an event that the user logged; empty for deleted events and non-numeric values. */
function toLoggedValue(event: Event) {
  const value = event.value == null || event.value === "" ? Number.NaN : Number(event.value);
  if (event.eventStatus === "deleted" || Number.isNaN(value)) return [];
  return toTimes(event).map((time) => ({ ...time, value }));
}

/** Carbohydrates, grams. */
export const toCarbohydrates = (event: Event) => (event.eventType === "carbs" ? toLoggedValue(event) : []);

/** Insulin, units. */
export function toInsulin(event: Event) {
  const type = insulins[event.eventSubType ?? ""];
  if (event.eventType !== "insulin" || type === undefined) return [];
  return toLoggedValue(event).map((one) => ({ ...one, type }));
}

/** Converts a transmitter; empty without an id. */
export function toDevice({ transmitterId, transmitterGeneration, displayApp }: Device) {
  if (!transmitterId) return [];
  const device_model = transmitterGeneration?.toUpperCase() ?? null;
  return [
    { device_id: transmitterId, device_manufacturer: "Dexcom", device_model, device_version: displayApp ?? null },
  ];
}
