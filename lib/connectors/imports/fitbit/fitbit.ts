import { defineFormat, type FileKind } from "../format.ts";
import type { MappingOutcome } from "../mapping-outcome.ts";
import { type CsvRow, readCsvRows } from "../reading/csv-rows.ts";
import { readJsonItems } from "../reading/json-items.ts";
import { FitbitAccount } from "./fitbit-account.ts";

type Kind = FileKind<FitbitAccount>;
type Map<Item> = (item: Item, account: FitbitAccount) => readonly MappingOutcome[];

/** A kind of JSON file with a list. Files of many kinds have equal content, so the name decides. */
const json = (name: string, resources: readonly string[], head: RegExp, map: Map<unknown>): Kind => ({
  name: `${name}-*.json`,
  resources,
  recognise: { path: new RegExp(`(?:^|/)${name}-[^/]*\\.json$`, "i"), head },
  async *read(file, account) {
    for await (const items of readJsonItems(file.open())) yield items.flatMap((item) => map(item, account));
  },
});

/** A kind of CSV file with known columns. */
const csv = (name: string, resources: readonly string[], head: RegExp, map: Map<CsvRow>): Kind => ({
  name,
  resources,
  recognise: { path: /\.csv$/i, head },
  async *read(file, account) {
    for await (const rows of readCsvRows(file.open())) yield rows.flatMap((row) => map(row, account));
  },
});

const STAMPED = /^\s*\[\s*(?:\{\s*"dateTime"|\])/;

/**
 * Fitbit data in Google Takeout, and the older archive of fitbit.com. Google describes the CSV files in README files
 * beside them. The JSON files are described by public readers only.
 */
export const fitbit = defineFormat<FitbitAccount>({
  title: "Fitbit data of Google Takeout",
  provider: "fitbit",
  facts: [
    "CSV files with `timestamp`: Google's README files in exports",
    "all others: code and tests of public readers",
  ],
  createState: ({ zone }) => new FitbitAccount(zone),
  kinds: [
    csv("Profile.csv", ["profile"], /^(?=[^\n]*\bgender\b)[^\n]*\btimezone\b/, (row, account) =>
      account.addProfile(row),
    ),
    json("heart_rate", ["heartrate"], STAMPED, (item, account) => account.addStamped(item, "heartrate")),
    json("steps", ["steps", "activity"], STAMPED, (item, account) => account.addStamped(item, "steps")),
    json("distance", ["distance", "activity"], STAMPED, (item, account) => account.addStamped(item, "distance")),
    ...(["calories", "lightly_active_minutes", "moderately_active_minutes", "very_active_minutes"] as const).map(
      (name) => json(name, ["activity"], STAMPED, (item, account) => account.addDayPart(item, name)),
    ),
    json("resting_heart_rate", ["activity"], STAMPED, (item, account) =>
      account.addDayPart(item, "resting_heart_rate"),
    ),
    json("demographic_vo2_max", ["vo2_max"], STAMPED, (item, account) => account.addVo2Max(item)),
    json("sleep", ["sleep", "sleep_cycle", "sleep_stream"], /"logId"/, (item, account) => account.addNight(item)),
    csv("heart_rate_*.csv", ["heartrate"], /^timestamp,beats per minute,data source/, (row, account) =>
      account.addRow(row, "heartrate", "beats per minute"),
    ),
    csv("steps_*.csv", ["steps"], /^timestamp,steps,data source/, (row, account) =>
      account.addRow(row, "steps", "steps"),
    ),
    csv("distance_*.csv", ["distance"], /^timestamp,distance,data source/, (row, account) =>
      account.addRow(row, "distance", "distance"),
    ),
    csv("weight.csv", ["body_weight"], /^timestamp,weight grams,data source/, (row, account) =>
      account.addRow(row, "body_weight", "weight grams"),
    ),
    csv("Minute SpO2 - *.csv", ["blood_oxygen"], /^timestamp,value\s/, (row, account) =>
      account.addRow(row, "blood_oxygen", "value"),
    ),
    csv("Heart Rate Variability Details - *.csv", ["hrv"], /^timestamp,rmssd,coverage/, (row, account) =>
      account.addRow(row, "hrv", "rmssd"),
    ),
    csv("UserSleeps_*.csv", ["sleep", "sleep_cycle", "sleep_stream"], /^sleep_id,sleep_type,/, (row, account) =>
      account.addSleepRow(row),
    ),
    csv("UserSleepStages_*.csv", ["sleep"], /^sleep_id,sleep_stage_id,/, (row, account) => account.addStageRow(row)),
    csv("UserExercises_*.csv", ["workouts"], /^exercise_id,exercise_start,exercise_end,/, (row, account) =>
      account.addExercise(row),
    ),
  ],
  derive: (account) => account.derived(),
});
