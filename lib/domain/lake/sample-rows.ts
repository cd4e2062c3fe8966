import { cellAt } from "../timeseries/chunk/chunk-columns.ts";
import type { FieldValue } from "../timeseries/chunk/sample.ts";
import type { SampleSlice } from "../timeseries/chunk/sample-slice.ts";
import type { TimeseriesResource } from "../timeseries/resource.ts";
import { DAY, dayOfInstant, type LakeRow } from "./lake-column.ts";

/** The batch that set a sample: its instant (epoch ms) and its id in chunks. */
export interface SampleOrigin {
  readonly receivedAt: number;
  readonly batchId: string;
}

/** Yields the rows of a slice. @param includes selects samples by the batch that set them. */
export function* toSampleRows(
  userId: string,
  resource: TimeseriesResource,
  slice: SampleSlice,
  includes: (origin: SampleOrigin) => boolean,
): Generator<LakeRow> {
  const { columns } = slice;
  const wanted = columns.runs.map(includes);
  for (let index = slice.from; index < slice.to; index++) {
    const run = columns.runOf[index] ?? 0;
    const origin = columns.runs[run];
    if (origin && wanted[run]) yield toSampleRow(userId, resource, slice, index, origin);
  }
}

function toSampleRow(
  user_id: string,
  resource: TimeseriesResource,
  { provider, sourceType, deviceId, appId, columns }: SampleSlice,
  index: number,
  { receivedAt, batchId }: SampleOrigin,
): LakeRow {
  const start = columns.starts[index] ?? 0;
  const value = cellAt(columns.values, index);
  return {
    [DAY]: dayOfInstant(start),
    user_id,
    resource: resource.name,
    provider,
    source_type: sourceType,
    device_id: deviceId,
    app_id: appId,
    start,
    end: orNull(columns.ends[index]) ?? start,
    value: typeof value === "number" ? value : null,
    value_text: typeof value === "string" ? value : null,
    unit: resource.unit,
    type: columns.types[index] ?? null,
    subtype: columns.subtypes[index] ?? null,
    timezone_offset: orNull(columns.offsetsS[index]),
    fields: fieldsText(columns.fields, index),
    is_deleted: value === undefined,
    received_at: receivedAt,
    receipt: batchId,
  };
}

function fieldsText(fields: SampleSlice["columns"]["fields"], index: number): string | null {
  const present = fields.flatMap(({ name, cells }): [string, FieldValue][] => {
    const cell = cellAt(cells, index);
    return cell === undefined ? [] : [[name, cell]];
  });
  return present.length === 0 ? null : JSON.stringify(Object.fromEntries(present));
}

const orNull = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? null : value);
