import { nameUuid } from "../shared/name-uuid.ts";
import type { LakeColumn, LakeType } from "./lake-column.ts";

/** A table of the lake. */
export interface LakeTable {
  readonly name: LakeTableName;
  readonly columns: readonly LakeColumn[];
  /** Columns that identify a record. Its rows are versions, of which the one with the greatest `order` is current. */
  readonly key: readonly string[];
  readonly order: readonly string[];
}

export const lakeTableNames = ["samples", "summaries", "events", "orders"] as const;
export type LakeTableName = (typeof lakeTableNames)[number];

const column =
  (isRequired: boolean) =>
  (id: number, name: string, type: LakeType, meaning: string): LakeColumn => ({ id, name, type, isRequired, meaning });
const required = column(true);
const optional = column(false);

const source = [
  required(4, "provider", "string", "slug of the provider"),
  required(5, "source_type", "string", "type of the source"),
  optional(6, "device_id", "string", "id of the recording device"),
  optional(7, "app_id", "string", "id of the recording app"),
];
const receipt = [
  required(20, "received_at", "timestamptz", "when the batch of this version was received"),
  required(
    21,
    "receipt",
    "string",
    "id of the batch of this version; of two versions of one instant, the greater wins",
  ),
];

const samples: LakeTable = {
  name: "samples",
  columns: [
    required(1, "day", "date", "UTC day of `start`; the partition"),
    required(2, "user_id", "string", "the user"),
    required(3, "resource", "string", "name of the timeseries"),
    ...source,
    required(8, "start", "timestamptz", "instant of the sample, or start of its interval"),
    required(9, "end", "timestamptz", "end of the interval (exclusive); same as `start` for an instant"),
    optional(10, "value", "double", "value in `unit`"),
    optional(11, "value_text", "string", "value of a timeseries of texts"),
    required(12, "unit", "string", "unit of the timeseries"),
    optional(13, "type", "string", "type of the value, if the source sent one"),
    optional(14, "subtype", "string", "type of the value, where one instant has several"),
    optional(15, "timezone_offset", "int", "offset from UTC, seconds east"),
    optional(16, "fields", "string", "further fields as JSON, such as systolic and diastolic"),
    required(17, "is_deleted", "boolean", "whether the source deleted the sample"),
    ...receipt,
  ],
  key: ["user_id", "resource", "provider", "source_type", "device_id", "app_id", "start", "subtype"],
  order: ["received_at", "receipt"],
};

const summaries: LakeTable = {
  name: "summaries",
  columns: [
    required(1, "day", "date", "calendar day of the summary; of a kind without days, the day of receipt"),
    required(2, "user_id", "string", "the user"),
    required(3, "kind", "string", "kind of the summary, such as sleep"),
    ...source,
    required(8, "id", "string", "id of the summary"),
    required(9, "version", "int", "number of contents that the summary has had"),
    required(10, "is_derived", "boolean", "whether the service derived it from samples"),
    required(11, "body", "string", "the summary as JSON, as the API shows it"),
    optional(12, "derivation", "int", "number of derivations from samples"),
    ...receipt,
  ],
  key: ["id"],
  order: ["version", "derivation", "received_at"],
};

const eventColumns = [
  required(1, "day", "date", "UTC day of `created_at`; the partition"),
  optional(2, "user_id", "string", "the user, if the event is about one"),
  required(3, "event_id", "string", "id of the event"),
  required(4, "type", "string", "type of the event"),
  required(5, "created_at", "timestamptz", "when the change happened"),
  required(6, "version", "int", "version of the subject"),
  required(7, "body", "string", "`data` of the event as JSON"),
];

const events: LakeTable = { name: "events", columns: eventColumns, key: ["event_id"], order: ["version"] };

const orders: LakeTable = {
  name: "orders",
  columns: [
    ...eventColumns,
    required(8, "order_id", "string", "id of the order"),
    optional(9, "status", "string", "status of the order"),
  ],
  key: ["event_id"],
  order: ["version"],
};

const tables: Readonly<Record<LakeTableName, LakeTable>> = { samples, summaries, events, orders };

/** Returns the declaration of a table. */
export const lakeTable = (name: LakeTableName): LakeTable => tables[name];

/** Returns the id of a team's table. It derives from team and name, so two writers of a new table agree. */
export const lakeTableId = (teamId: string, name: LakeTableName): string => nameUuid(`lake#${teamId}#${name}`);
/** Returns the key prefix of the files of a team's table. */
export const lakeTablePrefix = (teamId: string, name: LakeTableName): string =>
  `${teamId}/${lakeTableId(teamId, name)}/`;
