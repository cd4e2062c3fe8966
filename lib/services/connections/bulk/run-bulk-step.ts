import { findConnector, findPulledProvider } from "../../../connectors/connectors.ts";
import {
  getItem,
  getSecretValue,
  grants,
  putItem,
  queryItems,
  sendMessage,
  updateItem,
} from "../../../contract/access.ts";
import { historyPulls } from "../../../contract/queues.ts";
import {
  bulkOps,
  bulkSteps,
  connectionCredentials,
  historicalPulls,
  providerApps,
  pullPreferences,
} from "../../../contract/resources.ts";
import type { BulkStep } from "../../../domain/connections/bulk-op.ts";
import { type HistoricalPull, pullRef } from "../../../domain/connections/pulls/historical-pull.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import type { Log } from "../../../runtime/log.ts";
import { isoNow } from "../../../runtime/ports.ts";
import { ConditionFailed } from "../../../store/condition-failed.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import type { WriteItem } from "../../../store/transaction.ts";
import { createProviderClient, providerClientAccess, type RefreshAccessDependencies } from "../oauth/refresh-access.ts";
import { findProviderApp } from "../providers/provider-app.ts";
import { type PlanHistoryPullsDependencies, planHistoryPulls } from "../pulls/plan-history-pulls.ts";
import { subscribeUser } from "../pushes/subscribe-user.ts";
import {
  connectionImportItems,
  type ImportConnectionDependencies,
  importConnectionAccess,
} from "./import-connection.ts";

export type RunBulkStepDependencies = ImportConnectionDependencies &
  PlanHistoryPullsDependencies &
  RefreshAccessDependencies &
  Dependencies<"bulkOps" | "bulkSteps" | "historicalPulls" | "historyPulls" | "commit">;

/** Grants of {@link runBulkStep}. */
export const runBulkStepAccess = grants(
  [updateItem(bulkSteps), updateItem(bulkOps)],
  importConnectionAccess,
  [getItem(connectionCredentials), getItem(pullPreferences)],
  [queryItems(historicalPulls), putItem(historicalPulls), sendMessage(historyPulls)],
  getSecretValue(providerApps),
  providerClientAccess,
);

/** Positions of the writes whose failed condition means that the step has ended or its operation is gone. */
const [STEP, OP] = [0, 1];

/** Runs a step. One transaction writes its effect, status and count. A step that cannot run counts as failed. */
export async function runBulkStep(
  deps: RunBulkStepDependencies,
  scope: TeamScope,
  step: BulkStep,
  log: Log,
): Promise<void> {
  if (step.type === "link_bulk_import") {
    const items = await connectionImportItems(deps, scope, step);
    if (await endStep(deps, scope, step, items)) await subscribeImported(deps, scope, step, log);
    return;
  }
  const pulls = await planHistories(deps, scope, step);
  const isDone = await endStep(
    deps,
    scope,
    step,
    pulls?.map((pull) => deps.historicalPulls.putItem(scope, pull)),
  );
  // Best effort: the sweeper starts any pull whose message is lost.
  if (isDone) await deps.historyPulls.sendAll((pulls ?? []).map((pull) => pullRef.parse(pull)));
}

/** Subscribes to pushes about an imported user, as a link does. Refreshes imported access that has expired. */
async function subscribeImported(
  deps: RunBulkStepDependencies,
  scope: TeamScope,
  { user_id, provider }: BulkStep,
  log: Log,
): Promise<void> {
  const connector = await findConnector(provider);
  if (!connector?.push?.subscribe) return;
  const user = await deps.users.get(scope, user_id);
  const app = await findProviderApp(deps, scope, provider);
  if (!user || !app) return;
  const client = createProviderClient(deps, scope, user, connector);
  await subscribeUser(connector, { app, teamId: scope.teamId, client }, log);
}

/** Ends a step. @param items writes of the step; undefined fails it. @returns whether this call did the step. */
async function endStep(
  { bulkOps, bulkSteps, commit }: RunBulkStepDependencies,
  scope: TeamScope,
  step: BulkStep,
  items: readonly WriteItem[] | undefined,
): Promise<boolean> {
  const ending = (status: "success" | "failure") => [
    bulkSteps.completeItem(scope, step, status),
    bulkOps.recordStepItem(scope, step.op, status === "failure", isoNow()),
  ];
  for (const todo of [items, undefined]) {
    try {
      await commit([...ending(todo ? "success" : "failure"), ...(todo ?? [])]);
      return todo !== undefined;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.items.has(STEP) || error.items.has(OP)) return false;
    }
  }
  return false;
}

/** Plans the history pulls of a connection, except those in progress; undefined for a broken connection. */
async function planHistories(
  deps: RunBulkStepDependencies,
  scope: TeamScope,
  { user_id, provider }: BulkStep,
): Promise<HistoricalPull[] | undefined> {
  const user = await deps.users.get(scope, user_id);
  const connection = user?.connections[provider];
  const connector = await findPulledProvider(provider);
  const credentials = await deps.connectionCredentials.get(scope, user_id, provider);
  if (!user || connection?.status !== "connected" || !connector || credentials?.connected_on !== connection.created_on)
    return undefined;
  const { created_on: connectedOn, demo } = connection;
  const about = { connector, scopes: credentials.scopes, connectedOn, now: isoNow(), demo };
  const planned = await planHistoryPulls(deps, scope, user, about);
  const known = await deps.historicalPulls.list(scope, user_id);
  const underWay = known.filter((pull) => pull.due_at !== undefined && pull.connected_on === connectedOn);
  const isUnderWay = ({ resource }: HistoricalPull) =>
    underWay.some((pull) => pull.provider === provider && pull.resource === resource);
  return planned.filter((pull) => !isUnderWay(pull));
}
