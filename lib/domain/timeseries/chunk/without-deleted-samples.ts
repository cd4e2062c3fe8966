import { type CellColumn, CellKind, type ChunkColumns } from "./chunk-columns.ts";

/** The columns of a chunk without deleted samples, for readers. Writers keep the deleted samples. */
export function withoutDeletedSamples(columns: ChunkColumns): ChunkColumns {
  if (!columns.values.kinds.includes(CellKind.absent)) return columns;
  const places = Array.from(columns.starts.keys()).filter((index) => columns.values.kinds[index] !== CellKind.absent);
  const numbers = (column: Float64Array) => Float64Array.from(places, (place) => column[place] ?? Number.NaN);
  const texts = (column: (string | null)[]) => places.map((place) => column[place] ?? null);
  const cells = ({ kinds, numbers: values, atoms }: CellColumn): CellColumn => ({
    kinds: Uint8Array.from(places, (place) => kinds[place] ?? CellKind.absent),
    numbers: numbers(values),
    atoms: atoms.length === 0 ? [] : places.map((place) => atoms[place] ?? null),
  });
  return {
    count: places.length,
    starts: numbers(columns.starts),
    ends: numbers(columns.ends),
    offsetsS: numbers(columns.offsetsS),
    types: texts(columns.types),
    subtypes: texts(columns.subtypes),
    values: cells(columns.values),
    fields: columns.fields.map(({ name, cells: ofField }) => ({ name, cells: cells(ofField) })),
    runOf: numbers(columns.runOf),
    runs: columns.runs,
  };
}
