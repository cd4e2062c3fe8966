import { createHash } from "node:crypto";

/** Which simulated person stands behind a user: the same one for all of its connections, each time they are asked. */
export function seedOf(userId: string): number {
  return createHash("sha256").update(userId).digest().readUInt32BE();
}
