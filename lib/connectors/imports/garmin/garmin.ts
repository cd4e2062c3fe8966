import { summaryTypes, toBatches } from "../../garmin/summary-types.ts";
import { toOutcomes } from "../batch-outcomes.ts";
import { defineFormat } from "../format.ts";
import type { MappingOutcome, OutgoingRecord } from "../mapping-outcome.ts";
import { readJsonItems } from "../reading/json-items.ts";
import { readBytes, type SourceFile } from "../reading/source-file.ts";
import { ExportedActivities } from "./exported-activities.ts";
import { toDaily, toSleepSummary } from "./map-export-json.ts";
import { mapFitFile } from "./map-fit-file.ts";

/**
 * The export of a Garmin account (a zip with JSON files, and FIT files in zips of its own), and single FIT files.
 * The JSON files are described by public readers of exports only. FIT is documented by its SDK.
 */
export const garmin = defineFormat<ExportedActivities>({
  title: "Garmin export or FIT file",
  provider: "garmin",
  facts: ["FIT: its profile, as fit-file-parser has it", "JSON files: code and tests of public readers"],
  createState: () => new ExportedActivities(),
  kinds: [
    {
      name: "*_summarizedActivities.json",
      resources: ["workouts"],
      recognise: { path: /\.json$/i, head: /"summarizedActivitiesExport"/ },
      async *read(file, activities) {
        // The list of activities is in an object in a list.
        for await (const items of readJsonItems(file.open(), 2)) yield items.map((item) => activities.add(item));
      },
    },
    {
      name: "*_sleepData.json",
      resources: ["sleep"],
      recognise: { path: /\.json$/i, head: /"sleepStartTimestampGMT"/ },
      read: (file) => readItems(file, (night) => mapSummary("sleeps", toSleepSummary(night))),
    },
    {
      name: "UDSFile_*.json",
      resources: ["activity"],
      recognise: { path: /\.json$/i, head: /"(?:wellnessStartTimeGmt|totalKilocalories|totalSteps)"/ },
      read: (file) => readItems(file, (day) => mapSummary("dailies", toDaily(day))),
    },
    {
      name: "*.fit",
      resources: [
        ...["workouts", "workout_stream", "heartrate", "stress_level", "respiratory_rate", "blood_oxygen", "hrv"],
        ...["sleep_cycle", "vo2_max", "body", "body_weight", "body_fat", "blood_pressure", "body_temperature_delta"],
      ],
      recognise: { head: /^[\s\S]{8}\.FIT/ },
      async *read(file, activities) {
        yield await mapFitFile(await readBytes(file), activities);
      },
    },
  ],
  derive: derive,
});

function* derive(activities: ExportedActivities): Generator<OutgoingRecord> {
  for (const summary of activities.withoutFile()) {
    for (const outcome of mapSummary("activities", summary)) if ("send" in outcome) yield outcome.send;
  }
}

/** Maps a record in the form of a push of Garmin's API, with the mapping of the connector. */
function mapSummary(type: string, summary: object | undefined): MappingOutcome[] {
  const mapping = summaryTypes[type];
  return mapping && summary ? toOutcomes(toBatches(mapping, [summary])) : [{ leftOut: "record without values" }];
}

async function* readItems(
  file: SourceFile,
  map: (item: unknown) => readonly MappingOutcome[],
): AsyncGenerator<readonly MappingOutcome[]> {
  for await (const items of readJsonItems(file.open())) yield items.flatMap(map);
}
