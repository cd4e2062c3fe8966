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

/** For how long a container holds keys in the clear; a key that was destroyed is gone from all of them then. */
const HELD_MS = 60_000;
/** How many keys of teams and of users a container holds at most. */
const [MOST_TEAMS, MOST_USERS] = [200, 2_000];

/** Where wrapped keys are, and who unwraps those of teams; each asked for at its first use: who erases has the store alone. */
export interface KeySources {
  readonly store: () => UserKeyStore;
  readonly kms: () => DataKeys;
}

/** What making a key for a user takes who is there already. */
interface EnsuringUses {
  readonly users: Pick<UserStore, "requireActiveItem">;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/**
 * The keys of users, in the clear for the work of this container: KMS is asked once a team, the table once a user, for
 * a minute. A user's key is made with the user, or for one who is active and has none, and never for one who is
 * deleted, so what was erased stays unreadable.
 */
export class UserKeyRing implements UserSeals {
  readonly #sources: KeySources;
  readonly #teams = new ShortMemory<Uint8Array>(MOST_TEAMS, HELD_MS);
  readonly #users = new ShortMemory<UserKey>(MOST_USERS, HELD_MS);

  constructor(sources: KeySources) {
    this.#sources = sources;
  }

  /**
   * Seals and opens the data of a user. What a version of the service before these keys has stored opens as it is. Both
   * throw UserKeyGone where it takes a key and the user has none.
   */
  async of(scope: TeamScope, userId: string): Promise<UserSeal> {
    try {
      return openingUnsealed(await this.keyOf(scope, userId));
    } catch (error) {
      if (error instanceof UserKeyGone) return openingUnsealed(undefined);
      throw error;
    }
  }

  /** @throws UserKeyGone when the user has no key. */
  keyOf(scope: TeamScope, userId: string): Promise<UserKey> {
    return this.#users.get(nameOf(scope, userId), () => this.#read(scope, userId));
  }

  /** Makes a key for a user of a version before these keys, as long as the user is active: who is erased never gets one. */
  async ensure(scope: TeamScope, userId: string, { users, commit }: EnsuringUses): Promise<void> {
    try {
      await this.keyOf(scope, userId);
    } catch (error) {
      if (!(error instanceof UserKeyGone)) throw error;
      const items = [users.requireActiveItem(scope, userId), await this.createItem(scope, userId)];
      // Somebody else has made it, or the user is deleted: whoever seals will see.
      await commit(items).catch((failure) => {
        if (!(failure instanceof ConditionFailed)) throw failure;
      });
    }
  }

  /** A new key for a new user, to be written with it; makes the team's key too when this is its first user. */
  async createItem(scope: TeamScope, userId: string): Promise<WriteItem> {
    const teamKey = await this.#teams.get(scope.teamId, () => this.#readTeam(scope, () => this.#makeTeam(scope)));
    const wrapped = UserKey.draw({ team_id: scope.teamId, user_id: userId }).wrap(teamKey);
    return this.#sources.store().createItem(scope, userId, wrapped);
  }

  /** Destroys the key of a user, for good; it may be gone already. */
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

  /** Of two that make it at the same time one is stored, and both use that. */
  async #makeTeam(scope: TeamScope): Promise<Uint8Array> {
    const { plain, wrapped } = await this.#sources.kms().generate(contextOf(scope));
    const stored = await this.#sources.store().beginTeam(scope, wrapped);
    return stored === wrapped ? plain : this.#sources.kms().unwrap(stored, contextOf(scope));
  }
}

function gone(cause?: unknown): never {
  throw new UserKeyGone("The key of the data of this user is gone, so what is stored can not be read any more.", {
    cause,
  });
}

/** A key that opens also what was stored before there were keys. */
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

/** The keys that this container holds; all stores share them. */
export const userKeyRing = keptByContainer(
  () =>
    new UserKeyRing({
      store: () => new UserKeyStore(tableOf(userKeyTable)),
      kms: () => kmsDataKeys(locate(dataKey)),
    }),
);
