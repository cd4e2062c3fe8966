import { readFileSync, writeFileSync } from "node:fs";
import { readSites } from "../lib/cli/read-sites.ts";
import { packSite, type Site, siteColumns } from "../lib/domain/places/site.ts";
import { ZipTable } from "../lib/domain/places/zip-table.ts";
import { generateSyntheticSites } from "../lib/simulators/places/synthetic-sites.ts";

const USAGE = `Usage: npm run sites -- <list.csv>
       npm run sites -- --synthetic

Replaces the patient service centers in data/places/sites.json by those of a list, or by synthetic ones. The next
deployment serves them.`;
const FILE = "data/places/sites.json";
const SEED = 20_260_501;

/** Writes one site per line, for readable diffs. */
function write(source: string, sites: readonly Site[]): void {
  const rows = sites.map((site) => JSON.stringify(packSite(site)));
  const head = `"source": ${JSON.stringify(source)},\n"columns": ${JSON.stringify(siteColumns)}`;
  writeFileSync(FILE, `{${head},\n"rows": [\n${rows.join(",\n")}\n]}\n`);
  console.log(`Wrote ${sites.length.toLocaleString("en")} sites to ${FILE}.`);
}

function importList(path: string): number {
  const { sites, problems } = readSites(readFileSync(path, "utf8"));
  if (problems.length === 0) {
    write("imported", sites);
    return 0;
  }
  console.error(problems.slice(0, 50).join("\n"));
  if (problems.length > 50) console.error(`... and ${problems.length - 50} more.`);
  console.error(`Nothing was changed: ${problems.length} problems.`);
  return 1;
}

const [argument] = process.argv.slice(2);
if (argument === undefined || argument === "--help" || argument === "-h") console.log(USAGE);
else if (argument === "--synthetic") {
  const { count, packed } = JSON.parse(readFileSync("data/places/zips.json", "utf8"));
  write("synthetic", generateSyntheticSites(new ZipTable(Buffer.from(packed, "base64"), count), SEED));
} else process.exitCode = importList(argument);
