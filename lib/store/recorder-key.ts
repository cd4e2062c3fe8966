import { createHash } from "node:crypto";
import type { TeamScope } from "./team-scope.ts";

/** The device and the app that recorded data, as the source names them; null where it names none. */
export interface Recorder {
  readonly deviceId: string | null;
  readonly appId: string | null;
}

/** The recorder of data that names neither device nor app. */
export const NO_RECORDER: Recorder = { deviceId: null, appId: null };

/** Characters of a recorder key: 90 bits, so that recorders of one user never share a key. */
const KEY_CHARACTERS = 15;

/**
 * Returns the part of a sort key that tells recorders of a user apart; empty for data without device and app. Ids of
 * devices identify a person (45 CFR 164.514(b)(2)), so keys contain a hash, and the ids are stored encrypted.
 */
export function recorderKey(scope: TeamScope, userId: string, { deviceId, appId }: Recorder): string {
  if (deviceId === null && appId === null) return "";
  const name = JSON.stringify([scope.teamId, userId, deviceId, appId]);
  return createHash("sha256").update(name).digest("base64url").slice(0, KEY_CHARACTERS);
}
