import type { ExportRecord } from "./export-record.ts";
import { recordXml, timesXml } from "./export-record.ts";
import { createNameOnlySource, type Source } from "./record-sources.ts";
import type { Timeline } from "./timeline.ts";

/** The anomaly of an unusual record. */
export type UnusualKind =
  | "unknown type"
  | "bare data type"
  | "coded characters"
  | "empty value"
  | "long source name"
  | "out of order"
  | "attributes in another order"
  | "required attributes only"
  | "line break in metadata"
  | "sleep without stage"
  | "exact duplicate"
  | "corrected value";

/** A record with its anomaly, and its XML if that differs from the usual form. */
export type Unusual = { kind: UnusualKind; record: ExportRecord; xml?: string };

/** Number of unusual records in every export. */
export const UNUSUAL_COUNT = 12;

const QUANTITY = "HKQuantityTypeIdentifier";
const SLEEP = "HKCategoryTypeIdentifierSleepAnalysis";
const MINUTE_MS = 60_000;

/**
 * The unusual records, written after all others and before the correlations. `heartRate` and `bodyMass` are the first
 * records of their streams: the first repeats exactly, the second repeats with a new value and the same start.
 */
export function unusualRecords(timeline: Timeline, heartRate: ExportRecord, bodyMass: ExportRecord): Unusual[] {
  const app = createNameOnlySource("Example Notes");
  const noonMs = timeline.moment(timeline.days - 0.5);
  const steps = (minute: number, source: Source, value: string) =>
    plain(`${QUANTITY}StepCount`, source, noonMs + minute * MINUTE_MS, "count", value);
  const earlyMs = timeline.dayStart(0) + 1000;
  const early = { ...heartRate, startMs: earlyMs - 60_000, endMs: earlyMs - 60_000, createdMs: earlyMs };
  const note: ExportRecord["metadata"] = [["ExampleNote", "first line\nsecond line 🙂"]];
  return [
    { kind: "unknown type", record: plain(`${QUANTITY}ExampleOfTomorrow`, app, noonMs, "count", "7") },
    { kind: "bare data type", record: plain("HKDataTypeSleepDurationGoal", app, noonMs, "hr", "8") },
    codedCharacters(steps(1, { kind: "app", attributes: CODED_SOURCE }, "101"), timeline),
    { kind: "empty value", record: plain(`${QUANTITY}HeartRate`, app, noonMs, "count/min", "") },
    { kind: "long source name", record: steps(2, createNameOnlySource("Long ".repeat(500).trim()), "102") },
    { kind: "out of order", record: early },
    otherOrder(steps(3, app, "103"), timeline),
    requiredOnly(steps(4, app, "104"), timeline),
    lineBreak({ ...steps(5, app, "105"), metadata: note }, timeline),
    { kind: "sleep without stage", record: sleepWithoutStage(app, noonMs) },
    { kind: "exact duplicate", record: heartRate },
    { kind: "corrected value", record: { ...bodyMass, value: "71.23", createdMs: timeline.exportMs - MINUTE_MS } },
  ];
}

/** Characters as named, decimal and hexadecimal references that a reader has to decode: Zoë & Ana’s "<Fit>". */
const CODED_SOURCE = 'sourceName="Zo&#235; &amp; Ana&#x2019;s &quot;&lt;Fit&gt;&quot;" sourceVersion="1&#46;0"';

function plain(type: string, source: Source, startMs: number, unit: string | undefined, value: string): ExportRecord {
  const createdMs = startMs + MINUTE_MS;
  return { type, source, startMs, endMs: startMs, createdMs, unit, value, metadata: [], beats: [] };
}

function sleepWithoutStage(source: Source, noonMs: number): ExportRecord {
  const nap = plain(SLEEP, source, noonMs, undefined, "HKCategoryValueSleepAnalysisAsleepUnspecified");
  return { ...nap, endMs: noonMs + 45 * MINUTE_MS, createdMs: noonMs + 46 * MINUTE_MS };
}

/** The unit uses references too: c&#111;unt is count. */
function codedCharacters(record: ExportRecord, timeline: Timeline): Unusual {
  const xml = recordXml(record, timeline).replace('unit="count"', 'unit="c&#111;unt"');
  return { kind: "coded characters", record, xml };
}

function otherOrder(record: ExportRecord, timeline: Timeline): Unusual {
  const { type, unit, value, source } = record;
  const reversed = `value="${value}" ${timesXml(record, timeline)} unit="${unit}" ${source.attributes} type="${type}"`;
  return { kind: "attributes in another order", record, xml: ` <Record ${reversed}/>\n` };
}

/** Old records lack even the creation date. */
function requiredOnly(record: ExportRecord, timeline: Timeline): Unusual {
  const xml = recordXml(record, timeline).replace(/ creationDate="[^"]*"/, "");
  return { kind: "required attributes only", record, xml };
}

/** A line break in an attribute is a reference, because a parser would read a literal one as a space. */
function lineBreak(record: ExportRecord, timeline: Timeline): Unusual {
  const xml = recordXml(record, timeline).replace("line\nsecond", "line&#10;second");
  return { kind: "line break in metadata", record, xml };
}
