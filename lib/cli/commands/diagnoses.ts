import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { CommandFailed } from "../frame/command-failed.ts";
import { declareCommand } from "../frame/declaration.ts";
import { argument, path } from "../frame/values.ts";

const FILE = "data/insurance/diagnoses.json";

export const diagnoses = declareCommand({
  name: "diagnoses",
  summary: "Replaces the codes in data/insurance/diagnoses.json by a release of ICD-10-CM",
  description: ["CMS publishes a release every October. The next deployment serves it."],
  args: {
    orderFile: argument("<icd10cm_order_YYYY.txt>", "order file of the release", path),
    tabularFile: argument("<icd10cm_tabular_YYYY.xml>", "tabular list of the release", path),
  },
  examples: [["diagnoses icd10cm_order_2026.txt icd10cm_tabular_2026.xml", "writes all codes of the release"]],
  json: "option",
  run: async ({ orderFile, tabularFile }, session) => {
    const { readOrderFile, readTabularList } = await import("../read-diagnoses.ts");
    const codes = read(orderFile, readOrderFile);
    const { excludes1, excludes2, secondary } = read(tabularFile, readTabularList);
    const head = { release: `ICD-10-CM (${basename(orderFile)})`, is_complete: true };
    const rules = { secondary: [...new Set(secondary)], excludes1, excludes2 };
    const start = JSON.stringify({ ...head, ...rules }).slice(0, -1);
    // One code per line, for readable diffs between releases.
    writeFileSync(FILE, `${start},\n"codes": [\n${codes.map((code) => JSON.stringify(code)).join(",\n")}\n]}\n`);
    session.print(`Wrote ${codes.length.toLocaleString("en")} codes to ${FILE}.`);
    return { data: { file: FILE, codes: codes.length } };
  },
});

function read<T>(file: string, reader: (text: string) => T): T {
  try {
    return reader(readFileSync(file, "utf8"));
  } catch (error) {
    throw new CommandFailed(`${file}: ${error instanceof Error ? error.message : error}. Nothing was changed.`);
  }
}
