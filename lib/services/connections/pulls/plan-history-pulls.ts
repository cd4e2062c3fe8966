import type { PulledProvider } from "../../../connectors/connector.ts";
import { type HistoricalPull, newHistoricalPull } from "../../../domain/connections/pulls/historical-pull.ts";
import { pullBounds } from "../../../domain/connections/pulls/pull-bounds.ts";
import type { ResourceGrant } from "../../../domain/connections/resource-availability.ts";
import type { UserRecord } from "../../../domain/users/user.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import type { TeamScope } from "../../../store/team-scope.ts";

export type PlanHistoryPullsDependencies = Dependencies<"pullPreferences">;

/** A connection with its scopes. Instants are ISO 8601. */
export interface ConnectionAccess {
  readonly connector: PulledProvider;
  readonly scopes: readonly string[];
  readonly connectedOn: string;
  readonly now: string;
  readonly demo?: boolean | undefined;
}

/** Default days of history of a demo connection. */
const DEMO_DAYS = 30;

/** Names what a user granted at a provider, for the availability of its resources. */
export const toResourceGrant = ({
  connector,
  scopes,
}: Pick<ConnectionAccess, "connector" | "scopes">): ResourceGrant => ({
  granted: scopes,
  data: connector.resources,
});

/** Resources of a provider that the granted scopes cover. */
export const grantedResources = ({ connector, scopes }: Pick<ConnectionAccess, "connector" | "scopes">) =>
  connector.resources.filter((resource) => resource.scopes.every((name) => scopes.includes(name)));

/**
 * Plans the history pulls of a connection: for each granted resource as many days as the team prefers, within the pull
 * bounds of the user.
 */
export async function planHistoryPulls(
  { pullPreferences }: PlanHistoryPullsDependencies,
  scope: TeamScope,
  user: UserRecord,
  planned: ConnectionAccess,
): Promise<HistoricalPull[]> {
  const { connector, connectedOn, now, demo } = planned;
  const { slug: provider, historyDays } = connector;
  const wanted = (await pullPreferences.get(scope))?.providers[provider];
  const bounds = pullBounds(user);
  return grantedResources(planned).flatMap(({ name: resource }) => {
    const preferred = wanted?.resource_overrides?.[resource] ?? wanted?.default;
    const days = preferred?.historical_days_to_pull ?? (demo ? DEMO_DAYS : historyDays);
    const name = { team_id: scope.teamId, user_id: user.user_id, provider, resource };
    return newHistoricalPull(name, { connectedOn, now, days, bounds }) ?? [];
  });
}
