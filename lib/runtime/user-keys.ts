import { dataKey, userKeyTable } from "../contract/resources.ts";
import type { DataKeys, SecretContext } from "../crypto/envelope.ts";
import { UserKey } from "../crypto/user-key.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import { UserKeyStore } from "../store/user-keys.ts";
import type { UserSeals } from "../store/user-seals.ts";
import { locate, tableOf } from "./aws.ts";
import { keptByContainer } from "./container.ts";
import { kmsDataKeys } from "./kms.ts";
import { ShortMemory } from "./short-memory.ts";

/** For how long a container holds keys in the clear; a key that was destroyed is gone from all of them then. */
const HELD_MS = 60_000;
/** How many keys of teams and of users a container holds at most. */
const [MOST_TEAMS, MOST_USERS] = [200, 2_000];

/** The user has no key: it was destroyed, or there never was such a user. */
export class UserKeyGone extends Error {
  override readonly name = "UserKeyGone";
}

/** Where wrapped keys are, and who unwraps those of teams; each asked for at its first use: who erases has the store alone. */
export interface KeySources {
  readonly store: () => UserKeyStore;
  readonly kms: () => DataKeys;
}

/**
 * The keys of users, in the clear for the work of this container: KMS is asked once a team, the table once a user, for
 * a minute. A user's key is made with the user and never again, so what was erased stays unreadable.
 */
export class UserKeyRing implements UserSeals {
  readonly #sources: KeySources;
  readonly #teams = new ShortMemory<Uint8Array>(MOST_TEAMS, HELD_MS);
  readonly #users = new ShortMemory<UserKey>(MOST_USERS, HELD_MS);

  constructor(sources: KeySources) {
    this.#sources = sources;
  }

  /** @throws UserKeyGone when the user has no key. */
  of(scope: TeamScope, userId: string): Promise<UserKey> {
    return this.#users.get(nameOf(scope, userId), () => this.#read(scope, userId));
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
    const gone = (): never => {
      throw new UserKeyGone("the user has no key");
    };
    const [wrapped, teamKey] = await Promise.all([
      this.#sources.store().get(scope, userId),
      this.#teams.get(scope.teamId, () => this.#readTeam(scope, gone)),
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
