import type { ComponentChildren } from "preact";
import { ScrollFrame } from "./scroll-frame.tsx";
import { useArrowKeys } from "./use-arrow-keys.ts";

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Whether the column has numbers, which align at their end. */
  readonly isNumber?: boolean;
  /** Whether a phone leaves the column out. */
  readonly isWide?: boolean;
}

interface TableProps<Row> {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly isCurrent?: (row: Row) => boolean;
  /** Whether the table scrolls within the view, because it may be long. */
  readonly isTall?: boolean;
}

const classOf = <Row,>({ isNumber, isWide }: Column<Row>) =>
  [isNumber ? "number" : "", isWide ? "wide" : ""].join(" ").trim();

/** A dense table. Up and down move between the links and buttons that are marked as items. */
export function Table<Row>({ label, columns, rows, keyOf, isCurrent, isTall }: TableProps<Row>) {
  const onKeyDown = useArrowKeys();
  return (
    <ScrollFrame class={isTall ? "table-frame tall" : "table-frame"} label={label} onKeyDown={onKeyDown}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={classOf(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={isCurrent?.(row) ? "current" : ""}>
              {columns.map((column) => (
                <td key={column.name} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}
