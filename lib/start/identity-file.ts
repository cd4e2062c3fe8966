import * as z from "zod";
import type { DataDirectory } from "../local/data-directory.ts";
import { StartRefused } from "../local/start-refused.ts";

/** Who exists on this machine; written before anything is created, so that a start that was cut off can be repeated. */
const identity = z.object({
  org_id: z.string(),
  team_id: z.string(),
  api_key: z.string(),
  management_key: z.string(),
  webhook_secret: z.string(),
  /** Set once created. */
  webhook_id: z.string().optional(),
  demo_user_id: z.string().optional(),
  /** Whether the first data is complete. */
  is_seeded: z.boolean(),
});
export type LocalIdentity = z.output<typeof identity>;

const FILE = "identity.json";

/** What an earlier start has written. @throws StartRefused when the file is damaged. */
export function readIdentity(data: DataDirectory): LocalIdentity | undefined {
  const stored = data.read(FILE);
  if (stored === undefined) return undefined;
  const parsed = identity.safeParse(stored);
  if (!parsed.success) throw new StartRefused(`${data.file(FILE)} is damaged; delete ${data.path} to start afresh`);
  return parsed.data;
}

export function writeIdentity(data: DataDirectory, value: LocalIdentity): void {
  data.write(FILE, value);
}
