import { readFileSync } from "node:fs";

/** Returns the cells of each row of the first table below a heading of docs/architecture.md, in code spans. */
export function tableRows(heading: string): string[][] {
  const architecture = readFileSync("docs/architecture.md", "utf8");
  const section = architecture.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((row) => row.split("|").slice(1, -1));
}

/** Returns the names in the code spans of a cell. */
export const spans = (cell = "") => [...cell.matchAll(/`([\w/.-]+)`/g)].map(([, name = ""]) => name);

/** Returns the tags of functions/ by capability, from the table of docs/architecture.md. */
export const readCapabilities = (): ReadonlyMap<string, readonly string[]> =>
  new Map(tableRows("Capabilities").map(([name, , tags]) => [spans(name)[0] ?? "", spans(tags)] as const));
