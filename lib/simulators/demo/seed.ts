import { createHash } from "node:crypto";

/** Derives the seed of the simulated person from a user id, so that all connections of a user share one person. */
export function hashToSeed(userId: string): number {
  return createHash("sha256").update(userId).digest().readUInt32BE();
}
