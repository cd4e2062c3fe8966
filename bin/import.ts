import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import { Progress } from "../lib/cli/progress.ts";
import { type ImportObserver, importHealthExport } from "../lib/connectors/apple-health-export/import-health-export.ts";
import { type ImportTarget, IngestClient } from "../lib/connectors/apple-health-export/ingest-client.ts";
import { InputError } from "../lib/connectors/apple-health-export/input-error.ts";
import { formatExamples, formatTotalsTable } from "../lib/connectors/apple-health-export/totals-table.ts";

const USAGE = `Usage: npm run import -- <export.zip or export.xml> [--user <id>] [--url <address>] [--key <API key>]

Imports an Apple Health export (Health app, Export All Health Data) for one user. TRIBUTARY_URL and TRIBUTARY_API_KEY also
set the URL and the key. The defaults, including the user, are those of the service that npm start runs.`;

const localService = z.object({ base_url: z.string(), api_key: z.string(), demo_user_id: z.string() });

interface Arguments {
  readonly path: string;
  readonly target: ImportTarget;
}

/** @returns undefined when help was requested. */
function readArguments(): Arguments | undefined {
  const { values, positionals } = parseCommandLine();
  if (values.help) return undefined;
  const [path, ...others] = positionals;
  if (path === undefined)
    throw new InputError("The path of the export is missing: npm run import -- export.zip --user <id>");
  if (others.length > 0)
    throw new InputError(`Only one export can be imported at a time; unexpected argument: ${others[0]}`);
  const local = readLocalService();
  const baseUrl = values.url ?? process.env.TRIBUTARY_URL ?? local?.base_url;
  const apiKey = values.key ?? process.env.TRIBUTARY_API_KEY ?? local?.api_key;
  const userId = values.user ?? local?.demo_user_id;
  if (!baseUrl || !apiKey) throw new InputError("No local service is running: run npm start, or set --url and --key.");
  if (!userId) throw new InputError("The user is missing: set --user <id>.");
  if (!URL.canParse(baseUrl)) throw new InputError(`${baseUrl} is not a URL.`);
  return { path, target: { baseUrl: baseUrl.replace(/\/+$/, ""), apiKey, userId } };
}

function parseCommandLine() {
  const text = { type: "string" } as const;
  const options = { user: text, url: text, key: text, help: { type: "boolean", short: "h" } } as const;
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new InputError(error instanceof Error ? error.message : String(error));
  }
}

/** The data of the local service that `npm start` runs; undefined when none is running. */
function readLocalService(): z.output<typeof localService> | undefined {
  try {
    return localService.parse(JSON.parse(readFileSync(join(process.env.DATA_DIR ?? ".local", "local.json"), "utf8")));
  } catch {
    return undefined;
  }
}

function createObserver(): ImportObserver {
  let reading: Progress | undefined;
  let storing: Progress | undefined;
  return {
    reading(bytes, totalBytes, records) {
      reading ??= new Progress({ label: "Reading", total: totalBytes, unit: "bytes" });
      const perSecond = Math.round((1000 * records) / Math.max(1, reading.elapsedMs));
      reading.update(bytes, `${perSecond.toLocaleString("en")} records/s`);
      if (bytes === totalBytes) reading.done(`Read ${records.toLocaleString("en")} records.`);
    },
    storing(receipts, total) {
      storing ??= new Progress({ label: "Storing", total, unit: "requests" });
      storing.update(receipts);
      if (receipts === total) storing.done(`Stored ${total.toLocaleString("en")} requests.`);
    },
  };
}

async function main(): Promise<number> {
  const given = readArguments();
  if (!given) {
    console.log(USAGE);
    return 0;
  }
  const ledger = await importHealthExport(given.path, new IngestClient(given.target), createObserver());
  console.log(formatTotalsTable(ledger));
  const examples = formatExamples(ledger);
  if (examples !== "") console.log(`\n${examples}`);
  if (ledger.difference === 0) return 0;
  console.error(`The totals do not add up: off by ${ledger.difference}.`);
  return 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
