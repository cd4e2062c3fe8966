import type { TeamScope } from "./team-scope.ts";

/** Encrypts and decrypts the data of one user for its storage location. */
export interface UserCipher {
  /** @param place table or bucket, and the record's key. */
  encrypt(plain: Uint8Array, place: readonly string[]): Uint8Array;
  /** @throws if the bytes are not encrypted, were altered, or belong to another user or location. */
  decrypt(sealed: Uint8Array, place: readonly string[]): Uint8Array;
}

/** Provides the encryption of each user. The holder of the keys passes it to stores. */
export interface UserCiphers {
  /** @throws if the user has no key: the user does not exist or was erased. */
  forUser(scope: TeamScope, userId: string): Promise<UserCipher>;
}
