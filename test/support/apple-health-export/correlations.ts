import { type Plan, quotaOf } from "./export-plan.ts";
import { type ExportRecord, metadataXml, recordXml, timesXml } from "./export-record.ts";
import { findRecordSpec } from "./record-specs.ts";
import { streamRecords } from "./record-stream.ts";
import type { Timeline } from "./timeline.ts";

const BLOOD_PRESSURE = ["BloodPressureSystolic", "BloodPressureDiastolic"];
const FOOD = ["DietaryEnergyConsumed", "DietaryProtein", "DietaryCarbohydrates", "DietaryFatTotal"];

/** One `<Correlation>` as XML, and the number of its records. */
export type CorrelationXml = { xml: string; records: number };

/** Every blood pressure reading, then every meal: groups of records that also stand at top level. */
export function* correlations(plan: Plan, timeline: Timeline, seed: string): Generator<CorrelationXml> {
  yield* grouped("BloodPressure", BLOOD_PRESSURE, plan, timeline, seed);
  yield* grouped("Food", FOOD, plan, timeline, seed);
}

function* grouped(
  name: string,
  members: string[],
  plan: Plan,
  timeline: Timeline,
  seed: string,
): Generator<CorrelationXml> {
  const streams = members.map((member) => {
    const spec = findRecordSpec(member);
    return streamRecords(spec, quotaOf(plan, spec), timeline, seed);
  });
  for (;;) {
    const records = streams.flatMap((stream) => {
      const next = stream.next();
      return next.done ? [] : [next.value];
    });
    if (records.length === 0) return;
    yield { xml: correlationXml(name, records, timeline), records: records.length };
  }
}

function correlationXml(name: string, records: ExportRecord[], timeline: Timeline): string {
  const first = records[0]!;
  const open = `type="HKCorrelationTypeIdentifier${name}" ${first.source.attributes} ${timesXml(first, timeline)}`;
  const inner = records.map((record) => recordXml(record, timeline, "  ")).join("");
  return ` <Correlation ${open}>\n${metadataXml(first.metadata, "  ")}${inner} </Correlation>\n`;
}
