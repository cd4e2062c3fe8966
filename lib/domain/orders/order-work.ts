import * as z from "zod";
import { resultTypes } from "../results/wire-result.ts";
import { interpretations } from "./wire-order.ts";

/** What a simulation asks of the results. */
export const simulationFlags = z
  .object({
    interpretation: z.enum(interpretations).default("normal"),
    result_types: z.array(z.enum(resultTypes)).max(10).nullish(),
    has_missing_results: z.boolean().nullish(),
  })
  .meta({ id: "SimulationFlags" });

const step = z.object({ level: z.string(), at: z.string(), detail: z.string().nullable() });

/** What a laboratory is to be told of an order, or what a simulated one does with it. */
export const orderWorkDraft = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("submit") }),
  z.object({ kind: z.literal("cancel") }),
  z.object({ kind: z.literal("walk"), steps: z.array(step).min(1), flags: simulationFlags }),
]);
export type OrderWorkDraft = z.output<typeof orderWorkDraft>;
/** Steps that a simulated order has still to make, the next one first. */
export type Walk = Extract<OrderWorkDraft, { kind: "walk" }>;

/** Work on an order; of each kind an order has one piece at most. `work_id` tells it from one that it took the place of. */
export const orderWorkRecord = z.object({
  team_id: z.string(),
  order_id: z.string(),
  work_id: z.string(),
  due_at: z.string(),
  work: orderWorkDraft,
});
export type OrderWork = z.output<typeof orderWorkRecord>;

const workKinds = ["submit", "cancel", "walk"] as const;

/** What the queue carries of work that is due. */
export const orderWorkMessage = z.object({ team_id: z.string(), order_id: z.string(), kind: z.enum(workKinds) });
export type OrderWorkMessage = z.output<typeof orderWorkMessage>;
