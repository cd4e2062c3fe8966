import { parseInstant } from "../../../domain/shared/instant.ts";
import { type Element, metadataValue } from "./element.ts";

/** An instant in an export. */
interface ExportDate {
  /** Epoch milliseconds. */
  readonly ms: number;
  /** Offset from UTC, seconds. */
  readonly offsetS: number;
  /** ISO 8601 with the original offset. */
  readonly iso: string;
}

/** Start and end of an element, and its local UTC offset. */
export interface ElementInterval {
  readonly start: ExportDate;
  readonly end: ExportDate;
  /** Local offset from UTC, seconds. */
  readonly offsetS: number;
}

const DATE_PATTERN = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d):?(\d\d)$/;

/** Parses `2024-03-05 07:12:33 +0100`; undefined for any other format. */
function parseExportDate(text: string | undefined): ExportDate | undefined {
  const parts = DATE_PATTERN.exec(text ?? "");
  if (!parts) return undefined;
  const iso = `${parts[1]}T${parts[2]}${parts[3]}:${parts[4]}`;
  const instant = parseInstant(iso);
  return instant && { ms: instant.ms, offsetS: instant.offsetS ?? 0, iso };
}

/**
 * Reads `startDate` and `endDate` of an element; undefined if one is invalid. Exports write all dates in the time zone
 * of the phone at the time of the export. `HKTimeZone` overrides the offset of an element.
 */
export function readInterval(element: Element): ElementInterval | undefined {
  const start = parseExportDate(element.attributes.startDate);
  const end = parseExportDate(element.attributes.endDate);
  if (!start || !end) return undefined;
  const zone = metadataValue(element, "HKTimeZone");
  const offsetS = zone === undefined ? undefined : zoneOffset(zone, start.ms);
  return { start, end, offsetS: offsetS ?? start.offsetS };
}

const formats = new Map<string, Intl.DateTimeFormat | undefined>();

/** UTC offset of an IANA time zone at an instant, seconds; undefined for an unknown zone. */
function zoneOffset(zone: string, ms: number): number | undefined {
  if (!formats.has(zone)) formats.set(zone, createFormat(zone));
  const name = formats
    .get(zone)
    ?.formatToParts(ms)
    .find(({ type }) => type === "timeZoneName")?.value;
  if (name === undefined) return undefined;
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === "-" ? -60 : 60);
}

function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  } catch {
    return undefined;
  }
}
