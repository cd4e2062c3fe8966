import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { rawPayloadObjects } from "../../contract/resources.ts";
import type { ObjectStorage } from "../summaries/streams.ts";
import type { TeamScope } from "../team-scope.ts";
import type { UserCiphers } from "../user-encryption.ts";

/** Contents of a user as objects, compressed and encrypted under the key of the user. */
export class PayloadObjects {
  readonly #openStorage: () => ObjectStorage;
  readonly #ciphers: UserCiphers;

  /** @param openStorage called at each use, because a function that only lists payloads has no access to their bucket. */
  constructor(openStorage: () => ObjectStorage, ciphers: UserCiphers) {
    this.#openStorage = openStorage;
    this.#ciphers = ciphers;
  }

  /** Returns the SHA-256 of owner and content, so that equal contents of two users have different names. */
  digest(scope: TeamScope, userId: string, content: Uint8Array): string {
    return createHash("sha256").update(userPrefix(scope, userId)).update(content).digest("hex");
  }

  /** @throws UserKeyGone if the user has no key. */
  async put(scope: TeamScope, userId: string, name: string, content: Uint8Array): Promise<void> {
    const key = `${userPrefix(scope, userId)}${name}`;
    const cipher = await this.#ciphers.forUser(scope, userId);
    await this.#openStorage().put(key, cipher.encrypt(gzipSync(content), associatedData(key)));
  }

  /** @throws UserKeyGone if the user has no key. */
  async get(scope: TeamScope, userId: string, name: string): Promise<Buffer> {
    const key = `${userPrefix(scope, userId)}${name}`;
    const cipher = await this.#ciphers.forUser(scope, userId);
    return gunzipSync(cipher.decrypt(await this.#openStorage().get(key), associatedData(key)));
  }

  eraseUser(scope: TeamScope, userId: string): Promise<void> {
    return this.#openStorage().deleteAll(userPrefix(scope, userId));
  }
}

const userPrefix = (scope: TeamScope, userId: string) => `${scope.teamId}/${userId}/`;
const associatedData = (key: string) => [rawPayloadObjects.name, key];
