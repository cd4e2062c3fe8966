import * as z from "zod";
import type { DataDirectory } from "../local/data-directory.ts";
import { StartRefused } from "../local/start-refused.ts";

/** Ids and keys of the local service. Written before anything is created, so an interrupted start can be repeated. */
const identity = z.object({
  org_id: z.string(),
  team_id: z.string(),
  api_key: z.string(),
  management_key: z.string(),
  webhook_secret: z.string(),
  /** Set after the endpoint is created. */
  webhook_id: z.string().optional(),
  demo_user_id: z.string().optional(),
  /** Whether the demo data is complete. */
  is_seeded: z.boolean(),
});
export type LocalIdentity = z.output<typeof identity>;

const FILE = "identity.json";

/** Reads the identity of an earlier start. @throws StartRefused when the file is damaged. */
export function readIdentity(data: DataDirectory): LocalIdentity | undefined {
  const stored = data.read(FILE);
  if (stored === undefined) return undefined;
  const parsed = identity.safeParse(stored);
  if (!parsed.success) throw new StartRefused(`${data.file(FILE)} is damaged; delete ${data.path} to start over`);
  return parsed.data;
}

export function writeIdentity(data: DataDirectory, value: LocalIdentity): void {
  data.write(FILE, value);
}
