import { randomBytes } from "node:crypto";
import { openBytes, sealBytes } from "./sealed-bytes.ts";

const KEY_BYTES = 32;

/** Whose a key is. */
export interface KeyOwner {
  readonly team_id: string;
  readonly user_id: string;
}

/** The key under which the data of one user is sealed; what it seals is bound to team, user and place. */
export class UserKey {
  readonly #plain: Uint8Array;
  readonly #owner: readonly string[];

  private constructor(plain: Uint8Array, { team_id, user_id }: KeyOwner) {
    if (plain.length !== KEY_BYTES) throw new Error("not a key of 32 bytes");
    this.#plain = plain;
    this.#owner = [team_id, user_id];
  }

  /** A new key. */
  static draw(owner: KeyOwner): UserKey {
    return new UserKey(randomBytes(KEY_BYTES), owner);
  }

  /** The key that {@link wrap} wrapped. @throws when it was altered, or is another user's or under another team's key. */
  static unwrap(wrapped: Uint8Array, teamKey: Uint8Array, owner: KeyOwner): UserKey {
    return new UserKey(openBytes(teamKey, wrapped, wrapping(owner)), owner);
  }

  /** This key as it is stored: sealed under the key of the team. */
  wrap(teamKey: Uint8Array): Uint8Array {
    const [team_id = "", user_id = ""] = this.#owner;
    return sealBytes(teamKey, this.#plain, wrapping({ team_id, user_id }));
  }

  /** @param place where the sealed bytes are kept: table or bucket, and the record's key. */
  seal(plain: Uint8Array, place: readonly string[]): Uint8Array {
    return sealBytes(this.#plain, plain, ["user_data", ...this.#owner, ...place]);
  }

  /** @throws when the bytes are not sealed, were altered, or are of another user or place. */
  open(sealed: Uint8Array, place: readonly string[]): Uint8Array {
    return openBytes(this.#plain, sealed, ["user_data", ...this.#owner, ...place]);
  }
}

const wrapping = ({ team_id, user_id }: KeyOwner) => ["user_key", team_id, user_id];
