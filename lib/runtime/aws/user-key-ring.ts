import { dataKey, userKeyTable } from "../../contract/resources.ts";
import { isEncrypted } from "../../crypto/encrypted-bytes.ts";
import type { DataKeyProvider, EncryptionContext } from "../../crypto/envelope-encryption.ts";
import { UserKey } from "../../crypto/user-key.ts";
import { unlessConditionFailed } from "../../store/condition-failed.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { UserCipher, UserCiphers } from "../../store/user-encryption.ts";
import { UserKeyStore } from "../../store/users/user-keys.ts";
import type { UserStore } from "../../store/users/users.ts";
import { UserKeyGone } from "../errors.ts";
import { TtlCache } from "../ttl-cache.ts";
import { locateResource } from "./aws.ts";
import { kmsDataKeys } from "./kms.ts";
import type { TableAccess } from "./table-access.ts";

/** Lifetime of plaintext keys in a container. A destroyed key is gone from all containers after this time. */
const KEY_TTL_MS = 60_000;
/** Maximum number of cached team keys and user keys of a container. */
const [MAX_TEAM_KEYS, MAX_USER_KEYS] = [200, 2_000];

/**
 * The store of wrapped keys, and KMS for team keys. Both are created lazily: an erasing function has no access to KMS.
 */
export interface KeySources {
  readonly store: () => UserKeyStore;
  readonly kms: () => DataKeyProvider;
}

/** Dependencies of creating a key for an existing user. */
interface UserKeyRingDependencies {
  readonly users: Pick<UserStore, "requireActiveItem">;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/**
 * Caches the plaintext keys of users: per minute one KMS call per team and one table read per user. A key is created
 * with its user, or later for an active user without one. A deleted user never gets a key, so erased data stays
 * unreadable.
 */
export class UserKeyRing implements UserCiphers {
  readonly #sources: KeySources;
  readonly #teams = new TtlCache<Uint8Array>(MAX_TEAM_KEYS, KEY_TTL_MS);
  readonly #users = new TtlCache<UserKey>(MAX_USER_KEYS, KEY_TTL_MS);

  constructor(sources: KeySources) {
    this.#sources = sources;
  }

  /**
   * Returns the seal of a user's data. Data that earlier versions stored unsealed opens unchanged. `seal` and `open`
   * throw UserKeyGone if they need a key and the user has none.
   */
  async forUser(scope: TeamScope, userId: string): Promise<UserCipher> {
    try {
      return createUserSeal(await this.keyOf(scope, userId));
    } catch (error) {
      if (error instanceof UserKeyGone) return createUserSeal(undefined);
      throw error;
    }
  }

  /** Returns the key of a user. @throws UserKeyGone if the user has no key. */
  keyOf(scope: TeamScope, userId: string): Promise<UserKey> {
    return this.#users.get(cacheKey(scope, userId), () => this.#read(scope, userId));
  }

  /** Creates the key of an active user that an earlier version created without one. An erased user never gets a key. */
  async ensureKey(scope: TeamScope, userId: string, { users, commit }: UserKeyRingDependencies): Promise<void> {
    try {
      await this.keyOf(scope, userId);
    } catch (error) {
      if (!(error instanceof UserKeyGone)) throw error;
      const items = [users.requireActiveItem(scope, userId), await this.createItem(scope, userId)];
      // A concurrent call created the key, or the user is deleted. Sealing finds out which.
      await unlessConditionFailed(commit(items));
    }
  }

  /** Returns the write of a new user's key. Creates the team's key too if this is the team's first user. */
  async createItem(scope: TeamScope, userId: string): Promise<WriteItem> {
    const teamKey = await this.#teams.get(scope.teamId, () => this.#readTeam(scope, () => this.#makeTeam(scope)));
    const wrapped = UserKey.generate({ team_id: scope.teamId, user_id: userId }).wrap(teamKey);
    return this.#sources.store().createItem(scope, userId, wrapped);
  }

  /** Destroys the key of a user permanently. Idempotent. */
  async destroy(scope: TeamScope, userId: string): Promise<void> {
    this.#users.delete(cacheKey(scope, userId));
    await this.#sources.store().destroy(scope, userId);
  }

  async #read(scope: TeamScope, userId: string): Promise<UserKey> {
    const [wrapped, teamKey] = await Promise.all([
      this.#sources.store().get(scope, userId),
      this.#teams.get(scope.teamId, () => this.#readTeam(scope, async () => throwKeyGone())),
    ]);
    return wrapped ? UserKey.unwrap(wrapped, teamKey, { team_id: scope.teamId, user_id: userId }) : throwKeyGone();
  }

  async #readTeam(scope: TeamScope, otherwise: () => Promise<Uint8Array> | never): Promise<Uint8Array> {
    const wrapped = await this.#sources.store().getTeamKey(scope);
    return wrapped ? this.#sources.kms().unwrap(wrapped, teamKeyContext(scope)) : otherwise();
  }

  /** Creates the key of a team. Concurrent calls store one key, and all use the stored one. */
  async #makeTeam(scope: TeamScope): Promise<Uint8Array> {
    const { plain, wrapped } = await this.#sources.kms().generate(teamKeyContext(scope));
    const stored = await this.#sources.store().createTeamKey(scope, wrapped);
    return stored === wrapped ? plain : this.#sources.kms().unwrap(stored, teamKeyContext(scope));
  }
}

function throwKeyGone(cause?: unknown): never {
  throw new UserKeyGone("The encryption key of this user no longer exists. The stored data cannot be read.", {
    cause,
  });
}

/** Returns a seal that also opens data stored before user keys existed. */
function createUserSeal(key: UserKey | undefined): UserCipher {
  return {
    encrypt: (plain, place) => (key ?? throwKeyGone()).encrypt(plain, place),
    decrypt: (bytes, place) => {
      if (!isEncrypted(bytes)) return bytes;
      try {
        return (key ?? throwKeyGone()).decrypt(bytes, place);
      } catch (error) {
        return throwKeyGone(error);
      }
    },
  };
}

const cacheKey = ({ teamId }: TeamScope, userId: string) => `${teamId}/${userId}`;

const [USER_KEYS = ""] = dataKey.purposes;

const teamKeyContext = ({ teamId }: TeamScope): EncryptionContext => ({
  purpose: USER_KEYS,
  team_id: teamId,
  record: "team",
  field: "key",
});

/** The key ring that all stores with this access share. */
export const userKeyRing = (tables: TableAccess): UserKeyRing =>
  tables.once(
    "user key ring",
    () =>
      new UserKeyRing({
        store: () => new UserKeyStore(tables.open(userKeyTable)),
        kms: () => kmsDataKeys(locateResource(dataKey)),
      }),
  );
