import { describe, expect, test } from "vitest";
import type { Element } from "../../../../../lib/connectors/imports/apple-health/element.ts";
import { ExportMapper } from "../../../../../lib/connectors/imports/apple-health/export-mapper.ts";
import type { OutgoingRecord } from "../../../../../lib/connectors/imports/mapping-outcome.ts";
import { ingestionBounds } from "../../../../../lib/domain/ingest/ingestion-bounds.ts";
import { findSummaryKind } from "../../../../../lib/domain/summaries/summary-kinds.ts";

const context = { receivedAt: Date.UTC(2024, 5), bounds: ingestionBounds(null, null) };

const element = (name: string, attributes: Record<string, string>, children: Element[] = []): Element => ({
  name,
  attributes: { sourceName: "Mia’s Apple Watch", ...attributes },
  children,
});
const metadata = (key: string, value: string) => element("MetadataEntry", { key, value });

/** The fields that the service stores. */
function stored({ resource, content }: OutgoingRecord): Readonly<Record<string, unknown>> {
  const accepted = findSummaryKind(resource)!.accept(content, context);
  return "ok" in accepted ? accepted.ok.fields : { ...accepted };
}

function derived(...elements: Element[]) {
  const mapper = new ExportMapper();
  const outcomes = elements.map((given) => mapper.map(given));
  return { outcomes, summaries: [...mapper.derived()].map(stored) };
}

const sleep = (stage: string, from: string, to: string, sourceName = "Mia’s Apple Watch", children: Element[] = []) =>
  element(
    "Record",
    {
      type: "HKCategoryTypeIdentifierSleepAnalysis",
      value: `HKCategoryValueSleepAnalysis${stage}`,
      sourceName,
      startDate: `2024-03-${from}:00 +0100`,
      endDate: `2024-03-${to}:00 +0100`,
    },
    children,
  );

describe("ExportMapper for sleep", () => {
  test("builds a summary with the seconds of each stage, in any record order", () => {
    const { summaries } = derived(
      sleep("AsleepREM", "06 02:00", "06 03:00"),
      sleep("AsleepCore", "05 23:10", "06 01:00"),
      sleep("AsleepDeep", "06 01:00", "06 01:30"),
      sleep("Awake", "06 01:30", "06 02:00"),
      sleep("InBed", "05 23:00", "06 03:00"),
    );
    expect(summaries).toHaveLength(1);
    expect(summaries[0]).toMatchObject({
      calendar_date: "2024-03-06",
      bedtime_start: "2024-03-05T22:00:00+00:00",
      bedtime_stop: "2024-03-06T02:00:00+00:00",
      timezone_offset: 3600,
      type: "long_sleep",
      duration: 4 * 3600,
      light: 110 * 60,
      deep: 30 * 60,
      rem: 60 * 60,
      awake: 30 * 60,
      total: 200 * 60,
      latency: 10 * 60,
      efficiency: 83.3,
    });
  });

  test("starts a new period after a gap of more than an hour and for another source", () => {
    const night = [sleep("AsleepCore", "05 22:00", "05 23:00"), sleep("AsleepCore", "06 00:00", "06 01:00")];
    expect(derived(...night).summaries).toHaveLength(1);
    expect(derived(...night, sleep("AsleepCore", "06 02:01", "06 03:00")).summaries).toHaveLength(2);
    expect(derived(...night, sleep("Asleep", "05 22:00", "06 01:00", "AutoSleep")).summaries).toHaveLength(2);
  });

  test("counts overlapping time of one source once", () => {
    const twice = [sleep("AsleepDeep", "06 01:00", "06 02:00"), sleep("AsleepDeep", "06 01:30", "06 02:30")];
    expect(derived(...twice).summaries[0]).toMatchObject({ deep: 90 * 60, total: 90 * 60 });
  });

  test("builds no summary from time in bed without sleep", () => {
    const { outcomes, summaries } = derived(sleep("InBed", "05 23:00", "06 07:00"));
    expect(outcomes).toEqual([{ leftOut: "time in bed (part of the sleep summaries)" }]);
    expect(summaries).toEqual([]);
  });

  test("maps each stage to its hypnogram number", () => {
    const stages = ["AsleepDeep", "AsleepCore", "AsleepREM", "Awake", "AsleepUnspecified"];
    const { outcomes } = derived(...stages.map((stage) => sleep(stage, "06 01:00", "06 02:00")));
    expect(outcomes.map((outcome) => outcome && "send" in outcome && outcome.send.content.value)).toEqual([
      1, 2, 3, 4, -1,
    ]);
  });

  test("prefers the time zone of the record over the offset of the export", () => {
    const zoned = sleep("AsleepCore", "05 05:00", "05 09:00", "Watch", [metadata("HKTimeZone", "America/New_York")]);
    expect(derived(zoned).summaries[0]).toMatchObject({ timezone_offset: -5 * 3600, calendar_date: "2024-03-05" });
    const unknown = sleep("AsleepCore", "05 05:00", "05 09:00", "Watch", [metadata("HKTimeZone", "Mars/Olympus")]);
    expect(derived(unknown).summaries[0]).toMatchObject({ timezone_offset: 3600 });
  });
});
