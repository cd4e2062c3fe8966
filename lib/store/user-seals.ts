import type { TeamScope } from "./team-scope.ts";

/** Seals the data of one user for the place where it is kept, and opens it again. */
export interface UserSeal {
  /** @param place table or bucket, and the record's key. */
  seal(plain: Uint8Array, place: readonly string[]): Uint8Array;
  /** @throws when the bytes are not sealed, were altered, or are of another user or place. */
  open(sealed: Uint8Array, place: readonly string[]): Uint8Array;
}

/** The seals of users, which stores are given by whoever holds the keys. */
export interface UserSeals {
  /** @throws when the user has no key: there is no such user, or none any more. */
  of(scope: TeamScope, userId: string): Promise<UserSeal>;
}
