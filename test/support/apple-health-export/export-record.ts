import type { Source } from "./record-sources.ts";
import type { Timeline } from "./timeline.ts";
import { escapeXml } from "./xml-text.ts";

/** One `<Record>` before serialization. Times are UTC milliseconds of whole seconds. */
export type ExportRecord = {
  type: string;
  source: Source;
  startMs: number;
  endMs: number;
  createdMs: number;
  /** Absent for category types. */
  unit: string | undefined;
  /** As in the file; absent where Apple writes none (a mindful session). */
  value: string | undefined;
  metadata: MetadataEntry[];
  /** Heart beats of a variability value, in time order; empty for other types. */
  beats: Beat[];
};

/** Key and value of a `<MetadataEntry>`. */
export type MetadataEntry = [key: string, value: string];

/** One beat: its rate, and its time of day as the phone shows it (`7:14:48.94 AM`). */
export type Beat = { bpm: number; time: string };

/** The record's XML with line ends, indented by `indent` (one space per level, as in Apple's files). */
export function recordXml(record: ExportRecord, timeline: Timeline, indent = " "): string {
  const unit = record.unit === undefined ? "" : ` unit="${escapeXml(record.unit)}"`;
  const value = record.value === undefined ? "" : ` value="${escapeXml(record.value)}"`;
  const times = timesXml(record, timeline);
  const open = `${indent}<Record type="${record.type}" ${record.source.attributes}${unit} ${times}${value}`;
  const children = metadataXml(record.metadata, `${indent} `) + beatsXml(record.beats, `${indent} `);
  return children === "" ? `${open}/>\n` : `${open}>\n${children}${indent}</Record>\n`;
}

/** The three time attributes of records, correlations, workouts and routes. */
export function timesXml(of: Pick<ExportRecord, "createdMs" | "startMs" | "endMs">, timeline: Timeline): string {
  const start = timeline.format(of.startMs);
  const end = of.endMs === of.startMs ? start : timeline.format(of.endMs);
  return `creationDate="${timeline.format(of.createdMs)}" startDate="${start}" endDate="${end}"`;
}

/** `<MetadataEntry>` lines; empty without entries. */
export function metadataXml(entries: MetadataEntry[], indent: string): string {
  let xml = "";
  for (const [key, value] of entries) xml += `${indent}<MetadataEntry key="${key}" value="${escapeXml(value)}"/>\n`;
  return xml;
}

function beatsXml(beats: Beat[], indent: string): string {
  if (beats.length === 0) return "";
  const lines = beats.map(({ bpm, time }) => `${indent} <InstantaneousBeatsPerMinute bpm="${bpm}" time="${time}"/>\n`);
  return `${indent}<HeartRateVariabilityMetadataList>\n${lines.join("")}${indent}</HeartRateVariabilityMetadataList>\n`;
}
