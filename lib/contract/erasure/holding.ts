/** How what a place holds of a user goes. */
export type Leaving =
  /** Deleted by `eraseUser`, which looks again afterwards. */
  | { readonly kind: "erased" }
  /** Taken out before, by the route or the step that is named. */
  | { readonly kind: "released"; readonly by: "deleteUser" | "beginErasure" }
  /** Goes by itself, so many days after it was written at the latest. */
  | { readonly kind: "expires"; readonly days: number }
  /** Stays for good, and says why it may. */
  | { readonly kind: "stays"; readonly why: string }
  /** There is nothing of a user in it. */
  | { readonly kind: "nothing" };

/** What a place holds, in words, and how it goes when a user is erased. */
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
/** What is no user's: settings of teams, counts, catalogues. */
export const nobodys = (holds: string): Holding => ({ holds, leaving: { kind: "nothing" } });
