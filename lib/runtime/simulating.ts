import type * as z from "zod";
import type { MeetingPlace } from "../domain/appointments/appointment-record.ts";
import type { Order, StatusDetail } from "../domain/orders/order-move.ts";
import { type OrderWork, simulationFlags } from "../domain/orders/order-work.ts";
import { deployment } from "./deployment.ts";
import { NotFound, NotPossible, ValidationFailed } from "./errors.ts";
import { planWork } from "./new-order-items.ts";

/** The steps of a simulation, or why there are none. */
type WalkPlan =
  | readonly { readonly level: string; readonly afterSeconds: number; readonly detail: StatusDetail | null }[]
  | "other_method"
  | "not_reachable";

/** What a simulation is asked for, and where the order has its appointments, if it has any. */
interface WalkWishes {
  readonly flags: z.input<typeof simulationFlags>;
  readonly meeting: MeetingPlace | undefined;
}

/** @throws NotPossible outside a sandbox. */
export function requireSandbox(): void {
  if (deployment().environment !== "sandbox") throw new NotPossible("Only a sandbox simulates orders.");
}

/** @throws NotFound outside a sandbox: production has no such routes. */
export function requireTrials(): void {
  if (deployment().environment !== "sandbox") throw new NotFound("Only a sandbox has tests of unmatched results.");
}

/**
 * The work of a simulation: none where the order is there already.
 * @throws NotPossible where no way leads there; ValidationFailed for a status of other orders.
 */
export function workOf(order: Order, plan: WalkPlan, { flags, meeting }: WalkWishes, at: string): OrderWork[] {
  if (plan === "other_method") throw ValidationFailed.at(["query", "final_status"], "Not a status of such an order");
  if (plan === "not_reachable") throw new NotPossible("No way leads to this status from where the order is.");
  const instant = (afterSeconds: number) => new Date(Date.parse(at) + afterSeconds * 1000).toISOString();
  const steps = plan.map(({ level, afterSeconds, detail }) => ({ level, at: instant(afterSeconds), detail }));
  const walk = { kind: "walk", steps, flags: simulationFlags.parse(flags), meeting } as const;
  return steps.length === 0 ? [] : [planWork(order, walk, at)];
}
