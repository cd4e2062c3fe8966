import { readAllPages, type WholeList } from "./all-pages.ts";
import { queryOf, request } from "./request.ts";

/** Counts of what a team used, and their estimated cost. */
interface Usage {
  readonly requests: number;
  readonly samples: number;
  readonly events: number;
  readonly deliveries: number;
  readonly stored_bytes: number;
  readonly estimated_dollars: number;
}

/** A team at a glance: counts only. */
export interface Overview {
  readonly at: string;
  readonly usage: {
    readonly today: Usage;
    readonly month: Usage;
    readonly prices: { readonly region: string; readonly date: string };
  };
  readonly deliveries: { readonly since: string; readonly delivered: number; readonly failed: number };
  readonly endpoints: {
    readonly enabled: number;
    readonly disabled: number;
    readonly failing: number;
    readonly suspended: number;
  };
}

/** Retrieves the overview of the team. */
export const getOverview = (signal: AbortSignal) => request<Overview>("/console/overview", { signal });

/** Counts of users and connections, for which the service reads every user. */
export interface Metrics {
  readonly number_of_users: number;
  readonly number_of_connected_sources: number;
  readonly number_of_errored_connected_sources: number;
  readonly number_of_ordered_tests: number;
}

/** Counts users, connections and orders. */
export const getMetrics = (signal: AbortSignal) => request<Metrics>("/v2/user/metrics", { signal });

/** The team with its settings. */
export interface Team {
  readonly id: string;
  readonly org_id: string;
  readonly name: string;
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** Retrieves the team. */
export const getTeam = (teamId: string, signal: AbortSignal) => request<Team>(`/v2/team/${teamId}`, { signal });

/** The rank of a provider among the sources of one kind of data. */
export interface SourcePriority {
  readonly data_type: string;
  readonly provider: string;
  readonly priority: number;
}

/** Lists the ranks of all providers, also those with the default of 0. */
export const listPriorities = (signal: AbortSignal) =>
  request<readonly SourcePriority[]>("/v2/team/source/priorities", { signal });

/** A session of the console. */
export interface ListedSession {
  readonly session_id: string;
  readonly role: string;
  readonly name: string;
  readonly created_at: string;
  readonly expires_at: string;
}

/** Lists the open sessions of the team, newest first. */
export async function listSessions(signal: AbortSignal): Promise<WholeList<ListedSession>> {
  type SessionPage = { readonly data: readonly ListedSession[]; readonly next_cursor: string | null };
  const { rows, isCut } = await readAllPages(async (next_cursor) => {
    const page = await request<SessionPage>(`/console/sessions${queryOf({ next_cursor })}`, { signal });
    return { rows: page.data, next_cursor: page.next_cursor };
  });
  return { rows: rows.toSorted((one, other) => other.created_at.localeCompare(one.created_at)), isCut };
}

/** Ends a session of the team. */
export const endSession = (id: string) => request(`/console/sessions/${id}`, { method: "DELETE" });
