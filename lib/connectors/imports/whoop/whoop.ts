import { toActivity, toSampleAtEnd, toSleep, toWorkout } from "../../whoop/map-records.ts";
import { toOutcomes } from "../batch-outcomes.ts";
import { defineFormat, type FileKind } from "../format.ts";
import { BAD_DATE, type MappingOutcome } from "../mapping-outcome.ts";
import { type CsvRow, readCsvRows } from "../reading/csv-rows.ts";
import { toCycle, toRecovery, toSleepRecord, toWorkoutRecord } from "./to-api-records.ts";
import { WhoopRecoveries } from "./whoop-recoveries.ts";

const csv = (
  name: string,
  resources: readonly string[],
  head: RegExp,
  map: (row: CsvRow, recoveries: WhoopRecoveries) => readonly MappingOutcome[],
): FileKind<WhoopRecoveries> => ({
  name,
  resources,
  recognise: { path: /\.csv$/i, head },
  async *read(file, recoveries) {
    for await (const rows of readCsvRows(file.open())) yield rows.flatMap((row) => map(row, recoveries));
  },
});

/**
 * The data export of WHOOP: CSV files with local times and the offset of each cycle. WHOOP does not document them; its
 * API has the same values. The export has no ids, so the start identifies a sleep and a workout.
 */
export const whoop = defineFormat<WhoopRecoveries>({
  title: "WHOOP export",
  provider: "whoop_v2",
  facts: ["values: WHOOP's API documentation", "files and columns: tests of public readers"],
  createState: () => new WhoopRecoveries(),
  kinds: [
    csv(
      "physiological_cycles.csv",
      ["activity", "blood_oxygen", "hrv"],
      /^(?=[^\n]*Cycle start time)(?=[^\n]*Recovery score %)/,
      (row, recoveries) => {
        const cycle = toCycle(row);
        const sleep = toSleepRecord(row);
        if (!cycle) return [BAD_DATE];
        const recovery = toRecovery(row);
        if (sleep) recoveries.add(sleep.start, recovery);
        const resources = {
          activity: toActivity(cycle),
          blood_oxygen: sleep ? toSampleAtEnd(sleep, recovery.spo2_percentage) : [],
          hrv: sleep ? toSampleAtEnd(sleep, recovery.hrv_rmssd_milli) : [],
        };
        return toOutcomes([{ source_type: "watch", resources }]);
      },
    ),
    csv("sleeps.csv", ["sleep", "respiratory_rate"], /^(?=[^\n]*Sleep onset)(?=[^\n]*\bNap\b)/, (row, recoveries) => {
      const sleep = toSleepRecord(row);
      if (!sleep) return [BAD_DATE];
      const resources = {
        sleep: toSleep(sleep, recoveries.of(sleep.start)),
        respiratory_rate: toSampleAtEnd(sleep, sleep.score?.respiratory_rate),
      };
      return toOutcomes([{ source_type: "watch", resources }]);
    }),
    csv("workouts.csv", ["workouts"], /^(?=[^\n]*Workout start time)/, (row) => {
      const workout = toWorkoutRecord(row);
      if (!workout) return [BAD_DATE];
      return toOutcomes([{ source_type: "watch", resources: { workouts: toWorkout(workout) } }]);
    }),
  ],
});
