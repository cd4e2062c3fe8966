import * as z from "zod";
import { meetingPlace } from "../appointments/appointment-record.ts";
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

/** What is to be told of an order to its laboratory or of its appointment, or what a simulated laboratory does with it. */
export const orderWorkDraft = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("submit") }),
  z.object({ kind: z.literal("cancel") }),
  z.object({
    kind: z.literal("walk"),
    steps: z.array(step).min(1),
    flags: simulationFlags,
    /** Where appointments of the order are given, if they are. */
    meeting: meetingPlace.nullish(),
  }),
  z.object({
    kind: z.literal("visit"),
    /** Whoever gives these appointments is to be told how they are now. */
    appointment_ids: z.array(z.string()).min(1),
    /** When one that waits for its confirmation is given up, ISO 8601. */
    deadline: z.string().nullable(),
  }),
]);
export type OrderWorkDraft = z.output<typeof orderWorkDraft>;
/** Steps that a simulated order has still to make, the next one first. */
export type Walk = Extract<OrderWorkDraft, { kind: "walk" }>;
/** Appointments that whoever gives them is to be told of. */
export type VisitWork = Extract<OrderWorkDraft, { kind: "visit" }>;

/** Work on an order; of each kind an order has one piece at most. `work_id` tells it from one that it took the place of. */
export const orderWorkRecord = z.object({
  team_id: z.string(),
  order_id: z.string(),
  work_id: z.string(),
  due_at: z.string(),
  work: orderWorkDraft,
});
export type OrderWork = z.output<typeof orderWorkRecord>;

const workKinds = ["submit", "cancel", "walk", "visit"] as const;

/** What the queue carries of work that is due. */
export const orderWorkMessage = z.object({ team_id: z.string(), order_id: z.string(), kind: z.enum(workKinds) });
export type OrderWorkMessage = z.output<typeof orderWorkMessage>;
