import type * as z from "zod";
import type { BookableVenue } from "../../domain/appointments/appointment-record.ts";
import { type OrderTask, simulationFlags } from "../../domain/lab-work/order-task.ts";
import type { LowLevelStatus, StatusDetail } from "../../domain/orders/lifecycle/order-status.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import { deployment } from "../../runtime/deployment.ts";
import { NotFound, NotPossible, ValidationFailed } from "../../runtime/errors.ts";
import { planOrderTask } from "../orders/plan-new-order.ts";

/** Steps of a simulation, or the reason why no steps lead to the status. */
type SimulationSteps =
  | readonly { readonly level: LowLevelStatus; readonly afterSeconds: number; readonly detail: StatusDetail | null }[]
  | "other_method"
  | "not_reachable";

/** Flags of a simulation, and the venue of the order's appointments. */
interface SimulationRequest {
  readonly flags: z.input<typeof simulationFlags>;
  readonly meeting: BookableVenue | undefined;
}

/** @throws NotPossible outside a sandbox. */
export function requireSandbox(): void {
  if (deployment().environment !== "sandbox") throw new NotPossible("Orders can be simulated only in a sandbox.");
}

/** @throws NotFound outside a sandbox: production has no such routes. */
export function requireSandboxRoute(): void {
  if (deployment().environment !== "sandbox") throw new NotFound("Tests of unmatched results exist only in a sandbox.");
}

/**
 * Creates the task of a simulation. Empty if the order already has the final status.
 * @param at ISO 8601. @throws NotPossible for a status that the order cannot reach; ValidationFailed for a status of
 * another collection method.
 */
export function planSimulationTasks(
  order: Order,
  plan: SimulationSteps,
  { flags, meeting }: SimulationRequest,
  at: string,
): OrderTask[] {
  if (plan === "other_method")
    throw ValidationFailed.at(["query", "final_status"], "Orders with this collection method do not have this status");
  if (plan === "not_reachable") throw new NotPossible("The order cannot reach this status from its current status.");
  const instant = (afterSeconds: number) => new Date(Date.parse(at) + afterSeconds * 1000).toISOString();
  const steps = plan.map(({ level, afterSeconds, detail }) => ({ level, at: instant(afterSeconds), detail }));
  const walk = { kind: "walk", steps, flags: simulationFlags.parse(flags), meeting } as const;
  return steps.length === 0 ? [] : [planOrderTask(order, walk, at)];
}
