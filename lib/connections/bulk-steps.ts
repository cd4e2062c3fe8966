import { findPulled } from "../connectors/connectors.ts";
import type { BulkStep } from "../domain/linking/bulk-op.ts";
import { type HistoricalPull, pullName } from "../domain/linking/historical-pull.ts";
import { isoNow } from "../runtime/ports.ts";
import type { Queue } from "../runtime/queue.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { BulkOpStore } from "../store/linking/bulk-ops.ts";
import type { BulkStepStore } from "../store/linking/bulk-steps.ts";
import type { HistoricalPullStore } from "../store/linking/historical-pulls.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import { type ImportingUses, importItems } from "./importing.ts";
import { type PlanningUses, plannedPulls } from "./planning-pulls.ts";

export interface SteppingUses extends ImportingUses, PlanningUses {
  readonly bulkOps: BulkOpStore;
  readonly bulkSteps: BulkStepStore;
  readonly historicalPulls: HistoricalPullStore;
  readonly historyPulls: Queue;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** Positions of the writes whose failed condition means that the step has ended or its operation is gone. */
const [STEP, OP] = [0, 1];

/** Runs a step. One transaction writes its effect, status and count. A step that cannot run counts as failed. */
export async function takeStep(uses: SteppingUses, scope: TeamScope, step: BulkStep): Promise<void> {
  if (step.type === "link_bulk_import") {
    const items = await importItems(uses, scope, step);
    return void (await endStep(uses, scope, step, items));
  }
  const pulls = await historiesOf(uses, scope, step);
  const isDone = await endStep(
    uses,
    scope,
    step,
    pulls?.map((pull) => uses.historicalPulls.putItem(scope, pull)),
  );
  // Best effort: the sweeper starts any pull whose message is lost.
  if (isDone) await uses.historyPulls.sendAll((pulls ?? []).map((pull) => pullName.parse(pull)));
}

/** Ends a step. @param items writes of the step; undefined fails it. @returns whether this call did the step. */
async function endStep(
  { bulkOps, bulkSteps, commit }: SteppingUses,
  scope: TeamScope,
  step: BulkStep,
  items: readonly WriteItem[] | undefined,
): Promise<boolean> {
  const ending = (status: "success" | "failure") => [
    bulkSteps.endItem(scope, step, status),
    bulkOps.countItem(scope, step.op, status === "failure", isoNow()),
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
async function historiesOf(
  uses: SteppingUses,
  scope: TeamScope,
  { user_id, provider }: BulkStep,
): Promise<HistoricalPull[] | undefined> {
  const user = await uses.users.get(scope, user_id);
  const connection = user?.connections[provider];
  const connector = await findPulled(provider);
  const credentials = await uses.connectionCredentials.get(scope, user_id, provider);
  if (!user || connection?.status !== "connected" || !connector || credentials?.connected_on !== connection.created_on)
    return undefined;
  const { created_on: connectedOn, demo } = connection;
  const about = { connector, scopes: credentials.scopes, connectedOn, now: isoNow(), demo };
  const planned = await plannedPulls(uses, scope, user, about);
  const known = await uses.historicalPulls.list(scope, user_id);
  const underWay = known.filter((pull) => pull.due_at !== undefined && pull.connected_on === connectedOn);
  const isUnderWay = ({ resource }: HistoricalPull) =>
    underWay.some((pull) => pull.provider === provider && pull.resource === resource);
  return planned.filter((pull) => !isUnderWay(pull));
}
