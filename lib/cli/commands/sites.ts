import { readFileSync, writeFileSync } from "node:fs";
import type { Site } from "../../domain/places/site.ts";
import { failWithProblems } from "../fail-with-problems.ts";
import { UsageRefused } from "../frame/command-failed.ts";
import { declareCommand } from "../frame/declaration.ts";
import { argument, flag, path } from "../frame/values.ts";

const FILE = "data/places/sites.json";
const SEED = 20_260_501;

export const sites = declareCommand({
  name: "sites",
  summary: "Replaces the patient service centers in data/places/sites.json",
  description: ["Takes them from a list, or generates synthetic ones. The next deployment serves them."],
  args: { list: argument("<list.csv>", "list of patient service centers", path.optional()) },
  options: { synthetic: flag("generate synthetic sites instead") },
  examples: [
    ["sites list.csv", "from a list"],
    ["sites --synthetic", "synthetic ones"],
  ],
  json: "option",
  run: async ({ list, synthetic }, session) => {
    if ((list === undefined) !== synthetic) throw new UsageRefused("give either a list or --synthetic");
    const { sites, problems } = list === undefined ? await generateSites() : await readList(list);
    if (problems.length > 0) return failWithProblems(problems, session);
    await writeSites(synthetic ? "synthetic" : "imported", sites);
    session.print(`Wrote ${sites.length.toLocaleString("en")} sites to ${FILE}.`);
    return { data: { file: FILE, sites: sites.length } };
  },
});

async function readList(list: string) {
  const { readSites } = await import("../read-sites.ts");
  return readSites(readFileSync(list, "utf8"));
}

async function generateSites() {
  const { ZipTable } = await import("../../domain/places/zip-table.ts");
  const { generateSyntheticSites } = await import("../../simulators/places/synthetic-sites.ts");
  const { count, packed } = JSON.parse(readFileSync("data/places/zips.json", "utf8"));
  const zips = new ZipTable(Buffer.from(packed, "base64"), count);
  return { sites: generateSyntheticSites(zips, SEED), problems: [] };
}

/** Writes one site per line, for readable diffs. */
async function writeSites(source: string, sites: readonly Site[]): Promise<void> {
  const { packSite, siteColumns } = await import("../../domain/places/site.ts");
  const rows = sites.map((site) => JSON.stringify(packSite(site)));
  const head = `"source": ${JSON.stringify(source)},\n"columns": ${JSON.stringify(siteColumns)}`;
  writeFileSync(FILE, `{${head},\n"rows": [\n${rows.join(",\n")}\n]}\n`);
}
