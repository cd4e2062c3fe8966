import { cellAt } from "../timeseries/chunk/chunk-columns.ts";
import type { SampleSlice } from "../timeseries/chunk/sample-slice.ts";
import type { FieldRule, TimeseriesResource } from "../timeseries/resource.ts";

/** A cell of an exported table; instants are epoch milliseconds. */
export type ExportValue = bigint | number | string | readonly string[] | null;

/** One column of an exported table of samples. */
export interface ExportColumn {
  readonly name: string;
  readonly kind: "instant" | "number" | "integer" | "text" | "texts";
  /** Whether it may be null. */
  readonly isNullable: boolean;
  /** Description for people. */
  readonly meaning: string;
  /** Reads the value at a position of a slice. */
  readonly read: (slice: SampleSlice, index: number) => ExportValue;
}

const column = (
  name: string,
  kind: ExportColumn["kind"],
  meaning: string,
  read: ExportColumn["read"],
): ExportColumn => ({ name, kind, isNullable: false, meaning, read });

const nullable = (...about: Parameters<typeof column>): ExportColumn => ({ ...column(...about), isNullable: true });

const startOf = ({ columns }: SampleSlice, index: number) => columns.starts[index] ?? 0;

const times = [
  column("start", "instant", "Instant of the sample, or start of its interval (inclusive), UTC", (slice, index) =>
    BigInt(startOf(slice, index)),
  ),
  column("end", "instant", "End of the interval (exclusive); same as start for an instant", (slice, index) =>
    BigInt(orNull(slice.columns.ends[index]) ?? startOf(slice, index)),
  ),
];

const labels = [
  nullable("type", "text", "Type of the value, if the source sent one", ({ columns }, index) => {
    return columns.types[index] ?? null;
  }),
  nullable("subtype", "text", "Type of the value, where one instant has several values", ({ columns }, index) => {
    return columns.subtypes[index] ?? null;
  }),
  nullable(
    "timezone_offset",
    "integer",
    "Offset from UTC at the place of measurement, seconds east",
    ({ columns }, index) => {
      return orNull(columns.offsetsS[index]);
    },
  ),
  column("provider", "text", "Slug of the provider", ({ provider }) => provider),
  column("source_type", "text", "Type of the source", ({ sourceType }) => sourceType),
  nullable("device_id", "text", "Id of the recording device, if the source sent one", ({ deviceId }) => deviceId),
  nullable("app_id", "text", "Id of the recording app, if the source sent one", ({ appId }) => appId),
];

/** The exported columns of a resource, in order. */
export function exportColumns({ unit, value, fields }: TimeseriesResource): readonly ExportColumn[] {
  const kind = value === "string" ? "text" : "number";
  const values = nullable("value", kind, `Value in ${unit}`, ({ columns }, index) => {
    return cellAt(columns.values, index) ?? null;
  });
  return [
    ...times,
    ...(value === "none" ? [] : [values]),
    column("unit", "text", `Always ${unit}`, () => unit),
    ...labels,
    ...fields.map((rule) => fieldColumn(rule, unit)),
  ];
}

function fieldColumn(rule: FieldRule, unit: string): ExportColumn {
  const kinds = { number: "number", choice: "text", choices: "texts" } as const;
  const meaning =
    rule.kind === "number"
      ? `Value in ${unit}`
      : `${rule.kind === "choice" ? "One" : "Any"} of ${rule.values.join(", ")}`;
  return nullable(rule.name, kinds[rule.kind], meaning, ({ columns }, index) => {
    const cells = columns.fields.find(({ name }) => name === rule.name)?.cells;
    return (cells && cellAt(cells, index)) ?? null;
  });
}

function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
