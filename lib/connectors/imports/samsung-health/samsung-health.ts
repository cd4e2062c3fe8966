import { defineFormat, type FileKind } from "../format.ts";
import type { MappingOutcome } from "../mapping-outcome.ts";
import { readCsvRows } from "../reading/csv-rows.ts";
import { readJsonItems } from "../reading/json-items.ts";
import { mapBloodPressure, mapDay, mapExercise } from "./map-samsung-tables.ts";
import { SamsungExport } from "./samsung-export.ts";
import { type SamsungRow, shortenNames } from "./samsung-row.ts";
import { type SampleTable, sampleTables } from "./samsung-tables.ts";

type Kind = FileKind<SamsungExport>;

/** Whether the first line of a file names a table. */
const startsWith = (table: string) => new RegExp(`^(?:\\xef\\xbb\\xbf)?${table.replaceAll(".", "\\.")},\\d`);

/** A kind of CSV file: the table, its version and a number in the first line, then the names of the columns. */
const table = (
  name: string,
  resources: readonly string[],
  map: (row: SamsungRow, samsung: SamsungExport) => readonly MappingOutcome[],
): Kind => ({
  name: `${name}.*.csv`,
  resources,
  recognise: { path: /\.csv$/i, head: startsWith(name) },
  async *read(file, samsung) {
    const options = { skipLines: 1, rename: shortenNames };
    for await (const rows of readCsvRows(file.open(), options)) yield rows.flatMap((row) => map(row, samsung));
  },
});

/** The JSON files that have the values of a row at a finer interval. */
const binning = (rule: SampleTable): Kind => ({
  name: `jsons/${rule.table}/*.binning_data.json`,
  resources: [rule.resource],
  recognise: {
    path: new RegExp(`${rule.table.replaceAll(".", "\\.")}/.*\\.json$`),
    head: new RegExp(`^\\s*\\[[\\s\\S]*"${rule.binned ?? rule.column}"\\s*:`),
  },
  isBeside: true,
  async *read(file, samsung) {
    const row = samsung.takeBinned(file.path);
    for await (const bins of readJsonItems(file.open())) yield bins.flatMap((bin) => samsung.mapBin(rule, bin, row));
  },
});

/** The personal data of Samsung Health, as its app downloads them. The code and the tests of public readers describe the files. */
export const samsungHealth = defineFormat<SamsungExport>({
  title: "Samsung Health export",
  provider: "samsung_health",
  facts: ["code and tests of public readers, which check the time zone against the binning files"],
  createState: () => new SamsungExport(),
  kinds: [
    ...sampleTables.map((rule) => table(rule.table, [rule.resource], (row, samsung) => samsung.mapSample(rule, row))),
    ...sampleTables.map(binning),
    table("com.samsung.health.weight", ["body_weight", "body_fat", "body"], (row, samsung) => samsung.addWeight(row)),
    table("com.samsung.health.blood_pressure", ["blood_pressure"], mapBloodPressure),
    table("com.samsung.shealth.exercise", ["workouts"], mapExercise),
    table("com.samsung.shealth.activity.day_summary", ["activity"], mapDay),
    table("com.samsung.health.sleep_stage", ["sleep"], (row, samsung) => samsung.addStage(row)),
    table("com.samsung.shealth.sleep", ["sleep", "sleep_cycle", "sleep_stream"], (row, samsung) =>
      samsung.addSleep(row),
    ),
  ],
  derive: (samsung) => samsung.derived(),
});
