import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const localFile = z.object({
  base_url: z.string(),
  management_url: z.string().optional(),
  org_id: z.string().optional(),
  team_id: z.string().optional(),
  api_key: z.string(),
  management_key: z.string().optional(),
  demo_user_id: z.string().optional(),
});

/** The data of the local service that `npm start` runs; undefined when none is running. */
export function readLocalFile(): z.output<typeof localFile> | undefined {
  try {
    return localFile.parse(JSON.parse(readFileSync(join(process.env.DATA_DIR ?? ".local", "local.json"), "utf8")));
  } catch {
    return undefined;
  }
}
