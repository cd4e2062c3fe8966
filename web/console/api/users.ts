import { queryOf, request } from "./request.ts";

/** A provider as responses name it. */
interface NamedProvider {
  readonly name: string;
  readonly slug: string;
}

/** A user of the team. */
export interface User {
  readonly user_id: string;
  readonly client_user_id: string;
  readonly created_on: string;
  readonly connected_sources: readonly { readonly created_on: string; readonly provider: NamedProvider }[];
  readonly fallback_time_zone: { readonly id: string } | null;
}

/** A page of users. */
interface UserPage {
  readonly users: readonly User[];
  readonly next_cursor: string | null;
}

/**
 * Lists users in the order of creation, or those with this user id or whose client user id begins with a text.
 * @param after `next_cursor` of the page before; empty for the first page.
 */
export const searchUsers = (search: string, after: string, limit: number, signal: AbortSignal) =>
  request<UserPage>(`/console/user_search${queryOf({ search, limit, next_cursor: after })}`, { signal });

const COMPLETE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The user id that a text is; undefined for another text. */
export const completeUserId = (text: string): string | undefined =>
  COMPLETE_ID.test(text) ? text.toLowerCase() : undefined;

/** Retrieves a user. */
export const getUser = (userId: string, signal: AbortSignal) => request<User>(`/v2/user/${userId}`, { signal });

/** A connection of a user. */
export interface Connection extends NamedProvider {
  readonly created_on: string;
  readonly status: string;
  readonly external_user_id: string | null;
  readonly error_details: {
    readonly error_type?: string;
    readonly error_message?: string;
    readonly errored_at?: string;
  } | null;
  /** Why data is missing although the connection works. */
  readonly staleness: { readonly reason: string; readonly stale_since: string } | null;
}

/** Lists the connections of a user. */
export const listConnections = async (userId: string, signal: AbortSignal) =>
  (await request<{ readonly providers: readonly Connection[] }>(`/v2/user/providers/${userId}`, { signal })).providers;

/** What a provider delivered of one resource. */
export interface ResourceState {
  readonly last_attempt: { readonly timestamp: string; readonly status: string } | null;
  readonly oldest_data: string | null;
  readonly newest_data: string | null;
  readonly sent_count: number;
}
type ByProvider<Value> = Readonly<Record<string, Value>>;

/** Retrieves what each provider delivered, by provider and resource. */
export async function getResources(
  userId: string,
  signal: AbortSignal,
): Promise<ByProvider<ByProvider<ResourceState>>> {
  type Page = { readonly data: readonly { readonly provider: ByProvider<ByProvider<ResourceState>> }[] };
  const { data } = await request<Page>(`/v2/introspect/resources${queryOf({ user_id: userId })}`, { signal });
  return data[0]?.provider ?? {};
}

/** The pull of one resource's history. */
interface HistoryPull {
  readonly status: string;
  readonly range_start: string | null;
  readonly range_end: string | null;
  readonly timeline: {
    readonly scheduled_at: string;
    readonly started_at: string | null;
    readonly ended_at: string | null;
  };
  readonly days_with_data: number | null;
  readonly error_details: string | null;
}
type Histories = ByProvider<{ readonly pulled: ByProvider<HistoryPull>; readonly not_pulled: readonly string[] }>;

/** Retrieves the pulls of a user's histories, by provider. */
export async function getHistories(userId: string, signal: AbortSignal): Promise<Histories> {
  type Page = { readonly data: readonly { readonly provider: Histories }[] };
  const { data } = await request<Page>(`/v2/introspect/historical_pull${queryOf({ user_id: userId })}`, { signal });
  return data[0]?.provider ?? {};
}
