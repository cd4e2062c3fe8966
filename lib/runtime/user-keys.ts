import { dataKey, userKeyTable } from "../contract/resources.ts";
import type { DataKeys, SecretContext } from "../crypto/envelope.ts";
import { isSealed } from "../crypto/sealed-bytes.ts";
import { UserKey } from "../crypto/user-key.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import { UserKeyStore } from "../store/user-keys.ts";
import type { UserSeal, UserSeals } from "../store/user-seals.ts";
import type { UserStore } from "../store/users.ts";
import { locate, tableOf } from "./aws.ts";
import { keptByContainer } from "./container.ts";
import { UserKeyGone } from "./errors.ts";
import { kmsDataKeys } from "./kms.ts";
import { ShortMemory } from "./short-memory.ts";

/** Lifetime of plaintext keys in a container. A destroyed key is gone from all containers after this time. */
const HELD_MS = 60_000;
/** Maximum number of cached team keys and user keys of a container. */
const [MOST_TEAMS, MOST_USERS] = [200, 2_000];

/**
 * The store of wrapped keys, and KMS for team keys. Both are created lazily: an erasing function has no access to KMS.
 */
export interface KeySources {
  readonly store: () => UserKeyStore;
  readonly kms: () => DataKeys;
}

/** Dependencies of creating a key for an existing user. */
interface EnsuringUses {
  readonly users: Pick<UserStore, "requireActiveItem">;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/**
 * Caches the plaintext keys of users: per minute one KMS call per team and one table read per user. A key is created
 * with its user, or later for an active user without one. A deleted user never gets a key, so erased data stays
 * unreadable.
 */
export class UserKeyRing implements UserSeals {
  readonly #sources: KeySources;
  readonly #teams = new ShortMemory<Uint8Array>(MOST_TEAMS, HELD_MS);
  readonly #users = new ShortMemory<UserKey>(MOST_USERS, HELD_MS);

  constructor(sources: KeySources) {
    this.#sources = sources;
  }

  /**
   * Returns the seal of a user's data. Data that earlier versions stored unsealed opens unchanged. `seal` and `open`
   * throw UserKeyGone if they need a key and the user has none.
   */
  async of(scope: TeamScope, userId: string): Promise<UserSeal> {
    try {
      return openingUnsealed(await this.keyOf(scope, userId));
    } catch (error) {
      if (error instanceof UserKeyGone) return openingUnsealed(undefined);
      throw error;
    }
  }

  /** Returns the key of a user. @throws UserKeyGone if the user has no key. */
  keyOf(scope: TeamScope, userId: string): Promise<UserKey> {
    return this.#users.get(nameOf(scope, userId), () => this.#read(scope, userId));
  }

  /** Creates the key of an active user that an earlier version created without one. An erased user never gets a key. */
  async ensure(scope: TeamScope, userId: string, { users, commit }: EnsuringUses): Promise<void> {
    try {
      await this.keyOf(scope, userId);
    } catch (error) {
      if (!(error instanceof UserKeyGone)) throw error;
      const items = [users.requireActiveItem(scope, userId), await this.createItem(scope, userId)];
      // A concurrent call created the key, or the user is deleted. Sealing finds out which.
      await commit(items).catch((failure) => {
        if (!(failure instanceof ConditionFailed)) throw failure;
      });
    }
  }

  /** Returns the write of a new user's key. Creates the team's key too if this is the team's first user. */
  async createItem(scope: TeamScope, userId: string): Promise<WriteItem> {
    const teamKey = await this.#teams.get(scope.teamId, () => this.#readTeam(scope, () => this.#makeTeam(scope)));
    const wrapped = UserKey.draw({ team_id: scope.teamId, user_id: userId }).wrap(teamKey);
    return this.#sources.store().createItem(scope, userId, wrapped);
  }

  /** Destroys the key of a user permanently. Idempotent. */
  async destroy(scope: TeamScope, userId: string): Promise<void> {
    this.#users.forget(nameOf(scope, userId));
    await this.#sources.store().destroy(scope, userId);
  }

  async #read(scope: TeamScope, userId: string): Promise<UserKey> {
    const [wrapped, teamKey] = await Promise.all([
      this.#sources.store().get(scope, userId),
      this.#teams.get(scope.teamId, () => this.#readTeam(scope, async () => gone())),
    ]);
    return wrapped ? UserKey.unwrap(wrapped, teamKey, { team_id: scope.teamId, user_id: userId }) : gone();
  }

  async #readTeam(scope: TeamScope, otherwise: () => Promise<Uint8Array> | never): Promise<Uint8Array> {
    const wrapped = await this.#sources.store().ofTeam(scope);
    return wrapped ? this.#sources.kms().unwrap(wrapped, contextOf(scope)) : otherwise();
  }

  /** Creates the key of a team. Concurrent calls store one key, and all use the stored one. */
  async #makeTeam(scope: TeamScope): Promise<Uint8Array> {
    const { plain, wrapped } = await this.#sources.kms().generate(contextOf(scope));
    const stored = await this.#sources.store().beginTeam(scope, wrapped);
    return stored === wrapped ? plain : this.#sources.kms().unwrap(stored, contextOf(scope));
  }
}

function gone(cause?: unknown): never {
  throw new UserKeyGone("The encryption key of this user no longer exists. The stored data cannot be read.", {
    cause,
  });
}

/** Returns a seal that also opens data stored before user keys existed. */
function openingUnsealed(key: UserKey | undefined): UserSeal {
  return {
    seal: (plain, place) => (key ?? gone()).seal(plain, place),
    open: (bytes, place) => {
      if (!isSealed(bytes)) return bytes;
      try {
        return (key ?? gone()).open(bytes, place);
      } catch (error) {
        return gone(error);
      }
    },
  };
}

const nameOf = ({ teamId }: TeamScope, userId: string) => `${teamId}/${userId}`;

const [USER_KEYS = ""] = dataKey.purposes;

const contextOf = ({ teamId }: TeamScope): SecretContext => ({
  purpose: USER_KEYS,
  team_id: teamId,
  record: "team",
  field: "key",
});

/** The key ring that all stores of a container share. */
export const userKeyRing = keptByContainer(
  () =>
    new UserKeyRing({
      store: () => new UserKeyStore(tableOf(userKeyTable)),
      kms: () => kmsDataKeys(locate(dataKey)),
    }),
);
