import type { TeamScope } from "./team-scope.ts";

/** Encrypts and decrypts the data of one user for its storage location. */
export interface UserSeal {
  /** @param place table or bucket, and the record's key. */
  seal(plain: Uint8Array, place: readonly string[]): Uint8Array;
  /** @throws if the bytes are not encrypted, were altered, or belong to another user or location. */
  open(sealed: Uint8Array, place: readonly string[]): Uint8Array;
}

/** Provides the encryption of each user. The holder of the keys passes it to stores. */
export interface UserSeals {
  /** @throws if the user has no key: the user does not exist or was erased. */
  of(scope: TeamScope, userId: string): Promise<UserSeal>;
}
