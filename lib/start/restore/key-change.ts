import type { KeyResource } from "../../contract/resource-kinds.ts";
import { dataKey, teamKeys, userKeys } from "../../contract/resources.ts";
import { type EncryptionContext, EnvelopeEncryption } from "../../crypto/envelope-encryption.ts";
import { UserKey } from "../../crypto/user-key.ts";
import type { Item, Key } from "../../store/item.ts";
import { TeamScope } from "../../store/team-scope.ts";
import type { DeploymentKeys } from "./deployment-data.ts";
import { listSealedFields, readPath, writePath } from "./sealed-fields.ts";

/** The plaintext key of a team in both deployments. */
interface TeamKeyPair {
  readonly old: Uint8Array;
  readonly own: Uint8Array;
}

/**
 * Moves secrets from the keys of one deployment or archive to those of another. Each team gets a new key, which wraps the keys
 * of its users again. The data of users stays as it is, because the keys of users do not change.
 */
export class KeyChange {
  readonly #from: DeploymentKeys;
  readonly #to: DeploymentKeys;
  readonly #envelopes = new Map<string, { readonly old: EnvelopeEncryption; readonly own: EnvelopeEncryption }>();
  readonly #teams = new Map<string, Promise<TeamKeyPair>>();

  constructor(from: DeploymentKeys, to: DeploymentKeys) {
    this.#from = from;
    this.#to = to;
  }

  /** Returns an item with its secrets under the keys of the other deployment; undefined for the key of a team. */
  async apply(item: Item & Key): Promise<(Item & Key) | undefined> {
    if (item.pk.startsWith(teamKeys.keyPrefix)) {
      await this.#teamKey(item.pk.slice(teamKeys.keyPrefix.length));
      return undefined;
    }
    if (item.pk.startsWith(userKeys.keyPrefix)) return this.#rewrap(item);
    let changed = item;
    for (const { path, key, context } of listSealedFields(item)) {
      const { old, own } = this.#envelopesOf(key);
      const secret = await old.decrypt(String(readPath(item, path)), context);
      changed = writePath(changed, path, await own.encrypt(secret, context));
    }
    return changed;
  }

  async #rewrap(item: Item & Key): Promise<Item & Key> {
    const [team_id = "", user_id = ""] = item.pk.slice(userKeys.keyPrefix.length).split("#");
    const { old, own } = await this.#teamKey(team_id);
    const owner = { team_id, user_id };
    return { ...item, wrapped: UserKey.unwrap(item.wrapped as Uint8Array, old, owner).wrap(own) };
  }

  #teamKey(teamId: string): Promise<TeamKeyPair> {
    const known = this.#teams.get(teamId) ?? this.#createTeamKey(TeamScope.grant(teamId));
    this.#teams.set(teamId, known);
    return known;
  }

  /** A repeated run takes the key that the first one stored. */
  async #createTeamKey(scope: TeamScope): Promise<TeamKeyPair> {
    const [before, after] = [this.#from.dataKeys(dataKey), this.#to.dataKeys(dataKey)];
    const context = teamKeyContext(scope);
    const wrapped = await this.#from.teamKeys.getTeamKey(scope);
    if (!wrapped) throw new Error(`the key of the team ${scope.teamId} is missing`);
    const old = await before.unwrap(wrapped, context);
    const stored = await this.#to.teamKeys.getTeamKey(scope);
    if (stored) return { old, own: await after.unwrap(stored, context) };
    const made = await after.generate(context);
    await this.#to.teamKeys.createTeamKey(scope, made.wrapped);
    return { old, own: made.plain };
  }

  #envelopesOf(key: KeyResource) {
    const known = this.#envelopes.get(key.name) ?? {
      old: new EnvelopeEncryption(this.#from.dataKeys(key)),
      own: new EnvelopeEncryption(this.#to.dataKeys(key)),
    };
    this.#envelopes.set(key.name, known);
    return known;
  }
}

const teamKeyContext = ({ teamId }: TeamScope): EncryptionContext => ({
  purpose: dataKey.purposes[0] ?? "",
  team_id: teamId,
  record: "team",
  field: "key",
});
