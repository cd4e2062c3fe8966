type Cell = string | number | null | undefined;

/** Formats rows as CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe. */
export const toCsv = (rows: readonly (readonly Cell[])[]) =>
  rows.map((row) => `${row.map(formatCell).join(",")}\r\n`).join("");

function formatCell(cell: Cell): string {
  if (typeof cell !== "string") return cell === null || cell === undefined ? "" : String(cell);
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
