import { randomBytes } from "node:crypto";
import type { KeyResource } from "../../contract/resource-kinds.ts";
import { teamKeys } from "../../contract/resources.ts";
import { decryptBytes, encryptBytes } from "../../crypto/encrypted-bytes.ts";
import type { DataKeyProvider, EncryptionContext } from "../../crypto/envelope-encryption.ts";
import type { Item, Key } from "../../store/item.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { DeploymentKeys } from "../restore/deployment-data.ts";

const KEY_BYTES = 32;

/** The keys of an archive: they take the place of KMS and of the keys of teams, so that secrets change hands as in a restore. */
export class ArchiveSecrets implements DeploymentKeys {
  readonly #key: Uint8Array;
  readonly #wrapped = new Map<string, Uint8Array>();

  /** @param key encrypts data keys. @param items the keys of teams that the archive has. */
  constructor(key: Uint8Array, items: Iterable<Item & Key> = []) {
    this.#key = key;
    for (const { pk, wrapped } of items) this.#wrapped.set(pk.slice(teamKeys.keyPrefix.length), wrapped as Uint8Array);
  }

  readonly teamKeys: DeploymentKeys["teamKeys"] = {
    getTeamKey: async ({ teamId }: TeamScope) => this.#wrapped.get(teamId),
    createTeamKey: async ({ teamId }: TeamScope, wrapped: Uint8Array) => {
      this.#wrapped.set(teamId, wrapped);
      return wrapped;
    },
  };

  /** The keys of teams, as items. */
  items(): (Item & Key)[] {
    return Array.from(this.#wrapped, ([id, wrapped]) => ({ pk: teamKeys.keyPrefix + id, sk: "key", wrapped }));
  }

  dataKeys({ name }: KeyResource): DataKeyProvider {
    const place = (context: EncryptionContext) => [name, ...Object.entries(context).flat()];
    return {
      generate: async (context) => {
        const plain = randomBytes(KEY_BYTES);
        return { plain, wrapped: encryptBytes(this.#key, plain, place(context)) };
      },
      unwrap: async (wrapped, context) => decryptBytes(this.#key, wrapped, place(context)),
    };
  }
}
