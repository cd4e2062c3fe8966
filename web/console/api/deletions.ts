import { readAllPages, type WholeList } from "./all-pages.ts";
import { queryOf, request } from "./request.ts";

/** A deleted user whose grace period runs. */
export interface PendingDeletion {
  readonly user_id: string;
  readonly client_user_id: string;
  readonly requested_at: string;
  readonly erase_at: string;
}

/** Lists the deletions in their grace period. The next end comes first. */
export const listDeletions = (signal: AbortSignal): Promise<WholeList<PendingDeletion>> =>
  readAllPages(async (next_cursor) => {
    type DeletionPage = { readonly deletions: readonly PendingDeletion[]; readonly next_cursor: string | null };
    const page = await request<DeletionPage>(`/v2/user/deletions${queryOf({ next_cursor })}`, { signal });
    return { rows: page.deletions, next_cursor: page.next_cursor };
  });

/** Deletes a user. The grace period begins, and the connections end. */
export const deleteUser = (userId: string) => request(`/v2/user/${encodeURIComponent(userId)}`, { method: "DELETE" });

/** Restores a deleted user, without its connections. */
export const undoDeletion = (user_id: string) => request("/v2/user/undo_delete", { method: "POST", body: { user_id } });

/** What an erasure deleted. */
export interface Certificate {
  readonly deletion_id: string;
  readonly requested_at: string;
  readonly erased_at: string;
  /** Numbers of items and objects by store. */
  readonly stores: Readonly<Record<string, number>>;
  /** Numbers of connections by what became of the user's consent. */
  readonly consents: Readonly<Record<string, number>>;
  readonly scan: { readonly places: number; readonly found: number };
}

/** Retrieves the certificate of an erased user. @throws Problem with status 404 before the erasure. */
export const getCertificate = (userId: string, signal: AbortSignal) =>
  request<Certificate>(`/v2/user/erasure/${encodeURIComponent(userId)}`, { signal });
