import { readFileSync, writeFileSync } from "node:fs";
import { type AccessCounts, COUNTS_FILE, readCounts } from "../../lib/cli/scale/access-counts.ts";
import { formatScaleTables, replaceScaleTables } from "../../lib/cli/scale/scale-page.ts";
import { TestService } from "../support/service.ts";
import { measureAccess } from "./measure-access.ts";

/** The page with the tables. */
export const SCALE_PAGE = "docs/scale.md";

/** Returns the tables of docs/scale.md, of stored or of new counts, and writes both if asked. */
export async function reportScale({ measure, write }: { measure: boolean; write: boolean }): Promise<string> {
  const counts = measure ? await measureNow() : readCounts();
  const tables = formatScaleTables(counts);
  if (write) {
    writeFileSync(COUNTS_FILE, `${JSON.stringify(counts, null, 2)}\n`);
    writeFileSync(SCALE_PAGE, replaceScaleTables(readFileSync(SCALE_PAGE, "utf8"), tables));
  }
  return tables;
}

async function measureNow(): Promise<AccessCounts> {
  const service = await TestService.start();
  return measureAccess(service).finally(() => service.stop());
}
