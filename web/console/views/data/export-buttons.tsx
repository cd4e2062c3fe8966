import type { Layer, Range } from "../../api/series.ts";
import { loadParquet } from "../../export/load-parquet.ts";
import { type PointRow, pointColumns, toPointRows } from "../../export/point-rows.ts";
import { Said } from "../../forms/said.tsx";
import { useAction } from "../../forms/use-action.ts";
import { toCsv } from "../../parts/csv.ts";
import { saveFile } from "../../parts/save-file.ts";

interface ExportButtonsProps {
  readonly name: string;
  readonly unit: string | undefined;
  readonly layers: readonly Layer[];
  readonly range: Range;
}

const header = Object.keys(pointColumns) as (keyof PointRow)[];

/** Saves the visible points as CSV or Parquet. The name of the file contains no user. */
export function ExportButtons({ name, unit, layers, range }: ExportButtonsProps) {
  const action = useAction();
  const isEmpty = layers.every(({ points }) => points.length === 0);
  const saveCsv = () => {
    const rows = toPointRows(layers, unit, range).map((row) => ({
      ...row,
      time: new Date(Number(row.time)).toISOString(),
    }));
    const cells = rows.map((row) => header.map((column) => row[column]));
    saveFile(`${name}.csv`, new Blob([toCsv([header, ...cells])], { type: "text/csv" }));
  };
  const saveParquet = () =>
    action.run(async () => {
      const { encodeParquet } = await loadParquet();
      const content = encodeParquet(toPointRows(layers, unit, range));
      saveFile(`${name}.parquet`, new Blob([content], { type: "application/vnd.apache.parquet" }));
    });
  return (
    <span class="row">
      <span class="quiet">Export</span>
      <button type="button" aria-label="Export CSV" onClick={saveCsv} disabled={isEmpty}>
        CSV
      </button>
      <button type="button" aria-label="Export Parquet" onClick={saveParquet} disabled={isEmpty || action.isBusy}>
        Parquet
      </button>
      <Said action={action} />
    </span>
  );
}
