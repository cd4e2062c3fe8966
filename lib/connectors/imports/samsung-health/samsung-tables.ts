/** A table of single values, each with a start. */
export interface SampleTable {
  /** Name in the first line of its CSV file. */
  readonly table: string;
  readonly resource: string;
  /** Column of the value, and member of the value in binning files. */
  readonly column: string;
  /** Member of the value in binning files, if it has another name or the CSV file has no values. */
  readonly binned?: string;
  readonly sourceType: string;
  /** True if a record has a start and an end. */
  readonly isInterval?: boolean;
  /** Further members of each record. */
  readonly more?: Readonly<Record<string, string>>;
}

/** The tables of single values, with the columns that public readers name: bpm, %, °C, kg, mmol/L, mL. */
export const sampleTables: readonly SampleTable[] = [
  {
    table: "com.samsung.shealth.tracker.heart_rate",
    resource: "heartrate",
    column: "heart_rate",
    sourceType: "watch",
  },
  { table: "com.samsung.shealth.stress", resource: "stress_level", column: "score", sourceType: "watch" },
  {
    table: "com.samsung.shealth.tracker.oxygen_saturation",
    resource: "blood_oxygen",
    column: "spo2",
    sourceType: "watch",
  },
  { table: "com.samsung.health.hrv", resource: "hrv", column: "rmssd", sourceType: "watch" },
  {
    table: "com.samsung.health.respiratory_rate",
    resource: "respiratory_rate",
    column: "average",
    binned: "respiratory_rate",
    sourceType: "watch",
  },
  {
    table: "com.samsung.health.skin_temperature",
    resource: "body_temperature",
    column: "temperature",
    sourceType: "watch",
    isInterval: true,
    more: { sensor_location: "wrist" },
  },
  { table: "com.samsung.health.blood_glucose", resource: "glucose", column: "glucose", sourceType: "fingerprick" },
  { table: "com.samsung.health.water_intake", resource: "water", column: "amount", sourceType: "app" },
];

/** Activities by their code; public readers agree about these. Others are `workout`. */
export const exerciseTypes: Readonly<Record<string, string>> = {
  1001: "walking",
  1002: "running",
  11007: "cycling",
  13001: "hiking",
  14001: "swimming",
};

/** Stages by their code. */
export const sleepStages: Readonly<Record<string, 1 | 2 | 3 | 4>> = { 40001: 4, 40002: 2, 40003: 1, 40004: 3 };
