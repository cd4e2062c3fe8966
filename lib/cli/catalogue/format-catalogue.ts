import type { PackedCatalogue } from "../../domain/lab-tests/packed-catalogue.ts";

const formatRows = (rows: readonly object[]) => `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]`;

/** Formats the catalogue as JSON with one entry per line, for readable diffs. */
export function formatCatalogue({ results, tests, offers, questions }: PackedCatalogue): string {
  const byLab = Object.entries(offers).map(([lab, rows]) => `${JSON.stringify(lab)}: ${formatRows(rows)}`);
  const byGroup = Object.entries(questions).map(([group, rows]) => `${JSON.stringify(group)}: ${formatRows(rows)}`);
  const parts = [
    `"results": ${formatRows(results)}`,
    `"tests": ${formatRows(tests)}`,
    `"offers": {\n${byLab.join(",\n")}\n}`,
    `"questions": {\n${byGroup.join(",\n")}\n}`,
  ];
  return `{\n${parts.join(",\n")}\n}\n`;
}
