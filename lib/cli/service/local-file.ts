import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { readVariable } from "../frame/read-variable.ts";
import { resolveForCaller } from "../frame/values.ts";

const localFile = z.object({
  base_url: z.string(),
  management_url: z.string().optional(),
  org_id: z.string().optional(),
  team_id: z.string().optional(),
  api_key: z.string(),
  management_key: z.string().optional(),
  demo_user_id: z.string().optional(),
});

/** The directory of the local service: DATA_DIR, relative to the folder of the caller, or `.local` of the project. */
export function readDataDirectory(): string {
  const given = readVariable("DATA_DIR");
  return given === undefined ? ".local" : resolveForCaller(given);
}

/** The data of the local service that `npm start` runs; undefined when none is running. */
export function readLocalFile(): z.output<typeof localFile> | undefined {
  try {
    return localFile.parse(JSON.parse(readFileSync(join(readDataDirectory(), "local.json"), "utf8")));
  } catch {
    return undefined;
  }
}
