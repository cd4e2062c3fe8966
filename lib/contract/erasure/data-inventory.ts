/** A route or step that removes data before `eraseUser` runs. */
type ReleasingStep = "deleteUser" | "beginErasure" | "eraseFromLake";

/** How an erasure disposes of the user data in a data store. */
export type Disposal =
  /** `eraseUser` deletes it and scans for leftovers. */
  | { readonly kind: "erased" }
  /** The named route or step removes it before `eraseUser` runs. */
  | { readonly kind: "released"; readonly releasedBy: ReleasingStep }
  /** It expires at most this many days after it was written. */
  | { readonly kind: "expires"; readonly days: number }
  /** It is retained for the stated reason. */
  | { readonly kind: "stays"; readonly reason: string }
  /** It contains no user data. */
  | { readonly kind: "nothing" };

/** One entry of the data inventory: the contents of a data store in words, and their disposal when a user is erased. */
export interface InventoryEntry {
  readonly contents: string;
  readonly disposal: Disposal;
}

export const erasedData = (holds: string): InventoryEntry => ({ contents: holds, disposal: { kind: "erased" } });
export const releasedData = (by: ReleasingStep, holds: string): InventoryEntry => ({
  contents: holds,
  disposal: { kind: "released", releasedBy: by },
});
export const expiringData = (days: number, holds: string): InventoryEntry => ({
  contents: holds,
  disposal: { kind: "expires", days },
});
export const retainedData = (holds: string, why: string): InventoryEntry => ({
  contents: holds,
  disposal: { kind: "stays", reason: why },
});
/** Data that belongs to no user: team settings, counts, catalogues. */
export const nonPersonalData = (holds: string): InventoryEntry => ({ contents: holds, disposal: { kind: "nothing" } });
