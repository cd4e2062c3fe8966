import type { PackedCatalogue } from "../../domain/lab-tests/packed-catalogue.ts";

const listText = (rows: readonly object[]) => `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]`;

/** Formats the catalogue as JSON with one entry per line, for readable diffs. */
export function catalogueText({ results, tests, offers, questions }: PackedCatalogue): string {
  const byLab = Object.entries(offers).map(([lab, rows]) => `${JSON.stringify(lab)}: ${listText(rows)}`);
  const byGroup = Object.entries(questions).map(([group, rows]) => `${JSON.stringify(group)}: ${listText(rows)}`);
  const parts = [
    `"results": ${listText(results)}`,
    `"tests": ${listText(tests)}`,
    `"offers": {\n${byLab.join(",\n")}\n}`,
    `"questions": {\n${byGroup.join(",\n")}\n}`,
  ];
  return `{\n${parts.join(",\n")}\n}\n`;
}
