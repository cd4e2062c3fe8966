import type { Layer, Range } from "../../api/series.ts";
import { toCsv } from "../../parts/csv.ts";
import { saveFile } from "../../parts/save-file.ts";
import { visiblePoints } from "./visible-points.ts";

interface ExportButtonProps {
  readonly name: string;
  readonly unit: string | undefined;
  readonly layers: readonly Layer[];
  readonly range: Range;
}

const HEADER = ["time", "provider", "type", "device_id", "app_id", "min", "max", "mean", "count", "unit"];

/** Saves the visible points as CSV. The name of the file contains no user. */
export function ExportButton({ name, unit, layers, range }: ExportButtonProps) {
  const save = () => {
    const rows = visiblePoints(layers, range)
      .toReversed()
      .map(({ source, point: [t, ...values] }) => [
        new Date(t).toISOString(),
        source.provider,
        source.type,
        source.device_id,
        source.app_id,
        ...values,
        unit,
      ]);
    saveFile(`${name}.csv`, new Blob([toCsv([HEADER, ...rows])], { type: "text/csv" }));
  };
  return (
    <button type="button" onClick={save} disabled={layers.every(({ points }) => points.length === 0)}>
      Export CSV
    </button>
  );
}
