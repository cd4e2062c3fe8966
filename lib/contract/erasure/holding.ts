/** How an erasure disposes of the user data in a data store. */
export type Leaving =
  /** `eraseUser` deletes it and scans for leftovers. */
  | { readonly kind: "erased" }
  /** The named route or step removes it before `eraseUser` runs. */
  | { readonly kind: "released"; readonly by: "deleteUser" | "beginErasure" }
  /** It expires at most this many days after it was written. */
  | { readonly kind: "expires"; readonly days: number }
  /** It is retained for the stated reason. */
  | { readonly kind: "stays"; readonly why: string }
  /** It contains no user data. */
  | { readonly kind: "nothing" };

/** One entry of the data inventory: the contents of a data store in words, and their disposal when a user is erased. */
export interface Holding {
  readonly holds: string;
  readonly leaving: Leaving;
}

export const erased = (holds: string): Holding => ({ holds, leaving: { kind: "erased" } });
export const released = (by: "deleteUser" | "beginErasure", holds: string): Holding => ({
  holds,
  leaving: { kind: "released", by },
});
export const expires = (days: number, holds: string): Holding => ({ holds, leaving: { kind: "expires", days } });
export const stays = (holds: string, why: string): Holding => ({ holds, leaving: { kind: "stays", why } });
/** Data that belongs to no user: team settings, counts, catalogues. */
export const nobodys = (holds: string): Holding => ({ holds, leaving: { kind: "nothing" } });
