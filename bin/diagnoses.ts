import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { readOrderFile, readTabularList } from "../lib/cli/read-diagnoses.ts";

const USAGE = `Usage: npm run diagnoses -- <icd10cm_order_YYYY.txt> <icd10cm_tabular_YYYY.xml>

Replaces the codes in data/insurance/diagnoses.json by a full release of ICD-10-CM, which CMS publishes every October.
The next deployment serves them.`;
const FILE = "data/insurance/diagnoses.json";

function read<T>(path: string, reader: (text: string) => T): T {
  try {
    return reader(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Writes one code per line, for readable diffs between releases. */
function write(orderFile: string, tabular: string): void {
  const codes = read(orderFile, readOrderFile);
  const { excludes1, excludes2, secondary } = read(tabular, readTabularList);
  const head = { release: `ICD-10-CM (${basename(orderFile)})`, is_complete: true };
  const rules = { secondary: [...new Set(secondary)], excludes1, excludes2 };
  const text = JSON.stringify({ ...head, ...rules }).slice(0, -1);
  writeFileSync(FILE, `${text},\n"codes": [\n${codes.map((code) => JSON.stringify(code)).join(",\n")}\n]}\n`);
  console.log(`Wrote ${codes.length.toLocaleString("en")} codes to ${FILE}.`);
}

const [orderFile, tabular] = process.argv.slice(2);
if (orderFile === undefined || tabular === undefined) console.log(USAGE);
else {
  try {
    write(orderFile, tabular);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nNothing was changed.`);
    process.exitCode = 1;
  }
}
