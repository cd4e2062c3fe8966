import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { dataKey, teamKeys, userKeys, userKeyTable } from "../../../lib/contract/resources.ts";
import { UserKey } from "../../../lib/crypto/user-key.ts";
import { ArchiveSecrets } from "../../../lib/start/archive/archive-secrets.ts";
import type { DeploymentSource } from "../../../lib/start/restore/deployment-data.ts";
import type { Item, Key } from "../../../lib/store/item.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";

export const owner = {
  team_id: "7d9a6d0e-0000-4000-8000-000000000001",
  user_id: "7d9a6d0e-0000-4000-8000-000000000002",
};
/** Encryption context of the key of the team. */
export const teamContext = {
  purpose: dataKey.purposes[0] ?? "",
  team_id: owner.team_id,
  record: "team",
  field: "key",
};

/** A deployment in memory: one user with a key, items in one table, and objects in one bucket. */
export interface SampleSource extends DeploymentSource {
  /** The plain key of the user, as bytes that it encrypted. */
  readonly sealed: Uint8Array;
}

/** @param items of the table samples. @param objects of the bucket `bucket`, by key. */
export async function sampleSource(
  items: readonly (Item & Key)[],
  { bucket = "", objects = {} }: { bucket?: string; objects?: Readonly<Record<string, Uint8Array>> } = {},
): Promise<SampleSource> {
  const keys = new ArchiveSecrets(randomBytes(32));
  const dataKeys = keys.dataKeys(dataKey);
  const team = await dataKeys.generate(teamContext);
  await keys.teamKeys.createTeamKey(TeamScope.grant(owner.team_id), team.wrapped);
  const userKey = UserKey.generate(owner);
  const keyItems: (Item & Key)[] = [
    { pk: `${userKeys.keyPrefix}${owner.team_id}#${owner.user_id}`, sk: "key", wrapped: userKey.wrap(team.plain) },
    { pk: `${teamKeys.keyPrefix}${owner.team_id}`, sk: "key", wrapped: team.wrapped },
  ];
  return {
    keys: { teamKeys: keys.teamKeys, dataKeys: () => dataKeys },
    sealed: userKey.encrypt(Buffer.from("plain"), ["samples"]),
    items: async function* ({ name }) {
      yield name === userKeyTable.name ? keyItems : name === "samples" ? items : [];
    },
    objects: async function* ({ name }) {
      if (name !== bucket) return;
      yield Object.entries(objects).map(([key, bytes]) => ({
        key,
        open: async () => ({ body: Readable.from([Buffer.from(bytes)]), bytes: bytes.length, type: "text/plain" }),
      }));
    },
  };
}
