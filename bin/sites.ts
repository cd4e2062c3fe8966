import { readFileSync, writeFileSync } from "node:fs";
import { packSite, type Site, siteColumns } from "../lib/domain/places/site.ts";
import { ZipTable } from "../lib/domain/places/zip-pack.ts";
import { syntheticSites } from "../lib/simulators/places/synthetic-sites.ts";
import { readSites } from "../lib/terminal/read-sites.ts";

const USAGE = `Usage: npm run sites -- <list.csv>
       npm run sites -- --synthetic

Puts the patient service centers of a list, or made-up ones, into data/places/sites.json; the next deploy serves them.`;
const FILE = "data/places/sites.json";
const SEED = 20_260_501;

/** A site a line, so that a change of the list can be read. */
function write(source: string, sites: readonly Site[]): void {
  const rows = sites.map((site) => JSON.stringify(packSite(site)));
  const head = `"source": ${JSON.stringify(source)},\n"columns": ${JSON.stringify(siteColumns)}`;
  writeFileSync(FILE, `{${head},\n"rows": [\n${rows.join(",\n")}\n]}\n`);
  console.log(`${sites.length.toLocaleString("en")} sites are in ${FILE}.`);
}

function importList(path: string): number {
  const { sites, problems } = readSites(readFileSync(path, "utf8"));
  if (problems.length === 0) {
    write("imported", sites);
    return 0;
  }
  console.error(problems.slice(0, 50).join("\n"));
  if (problems.length > 50) console.error(`... and ${problems.length - 50} more.`);
  console.error(`Nothing is changed: ${problems.length} problems.`);
  return 1;
}

const [given] = process.argv.slice(2);
if (given === undefined || given === "--help" || given === "-h") console.log(USAGE);
else if (given === "--synthetic") {
  const { count, packed } = JSON.parse(readFileSync("data/places/zips.json", "utf8"));
  write("synthetic", syntheticSites(new ZipTable(Buffer.from(packed, "base64"), count), SEED));
} else process.exitCode = importList(given);
