import { randomBytes } from "node:crypto";
import { decryptBytes, encryptBytes } from "./encrypted-bytes.ts";

const KEY_BYTES = 32;

/** The user that a key belongs to. */
export interface KeyOwner {
  readonly team_id: string;
  readonly user_id: string;
}

/** The key that encrypts the data of one user. Ciphertexts are bound to team, user and storage location. */
export class UserKey {
  readonly #plain: Uint8Array;
  readonly #owner: readonly string[];

  private constructor(plain: Uint8Array, { team_id, user_id }: KeyOwner) {
    if (plain.length !== KEY_BYTES) throw new Error("The key must have 32 bytes.");
    this.#plain = plain;
    this.#owner = [team_id, user_id];
  }

  /** Generates a new key. */
  static generate(owner: KeyOwner): UserKey {
    return new UserKey(randomBytes(KEY_BYTES), owner);
  }

  /** Unwraps a key. @throws if it was altered, or belongs to another user or team key. */
  static unwrap(wrapped: Uint8Array, teamKey: Uint8Array, owner: KeyOwner): UserKey {
    return new UserKey(decryptBytes(teamKey, wrapped, wrappingAssociatedData(owner)), owner);
  }

  /** Returns the key for storage: encrypted under the team key. */
  wrap(teamKey: Uint8Array): Uint8Array {
    const [team_id = "", user_id = ""] = this.#owner;
    return encryptBytes(teamKey, this.#plain, wrappingAssociatedData({ team_id, user_id }));
  }

  /** Encrypts bytes. @param place storage location: the table or bucket, and the record's key. */
  encrypt(plain: Uint8Array, place: readonly string[]): Uint8Array {
    return encryptBytes(this.#plain, plain, ["user_data", ...this.#owner, ...place]);
  }

  /** Decrypts bytes. @throws if the bytes are not encrypted, were altered, or belong to another user or location. */
  decrypt(sealed: Uint8Array, place: readonly string[]): Uint8Array {
    return decryptBytes(this.#plain, sealed, ["user_data", ...this.#owner, ...place]);
  }
}

const wrappingAssociatedData = ({ team_id, user_id }: KeyOwner) => ["user_key", team_id, user_id];
