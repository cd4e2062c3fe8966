import * as z from "zod";
import { meetingPlace } from "../appointments/appointment-record.ts";
import { resultTypes } from "../results/wire-result.ts";
import { interpretations } from "./wire-order.ts";

/** Options for the results of a simulation. */
export const simulationFlags = z
  .object({
    interpretation: z.enum(interpretations).default("normal"),
    result_types: z.array(z.enum(resultTypes)).max(10).nullish(),
    has_missing_results: z.boolean().nullish(),
  })
  .meta({ id: "SimulationFlags" });

const step = z.object({ level: z.string(), at: z.string(), detail: z.string().nullable() });

/**
 * Order task: submit an order to its laboratory, cancel the order there, run a simulation, or send appointments to
 * their provider.
 */
export const orderWorkDraft = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("submit") }),
  z.object({ kind: z.literal("cancel") }),
  z.object({
    kind: z.literal("walk"),
    steps: z.array(step).min(1),
    flags: simulationFlags,
    /** Venue at which the simulation books the order's appointments, if any. */
    meeting: meetingPlace.nullish(),
  }),
  z.object({
    kind: z.literal("visit"),
    /** Appointments whose current state the provider must receive. */
    appointment_ids: z.array(z.string()).min(1),
    /** Deadline of a pending confirmation, ISO 8601. */
    deadline: z.string().nullable(),
  }),
]);
export type OrderWorkDraft = z.output<typeof orderWorkDraft>;
/** Simulation plan: the remaining steps of a simulated order, the next one first. */
export type Walk = Extract<OrderWorkDraft, { kind: "walk" }>;
/** Task that sends appointments to their provider. */
export type VisitWork = Extract<OrderWorkDraft, { kind: "visit" }>;

/**
 * Stored order task. An order has at most one task of each kind; `work_id` distinguishes a task from its predecessor.
 */
export const orderWorkRecord = z.object({
  team_id: z.string(),
  order_id: z.string(),
  work_id: z.string(),
  due_at: z.string(),
  work: orderWorkDraft,
});
export type OrderWork = z.output<typeof orderWorkRecord>;

const workKinds = ["submit", "cancel", "walk", "visit"] as const;

/** Queue message for a due order task. */
export const orderWorkMessage = z.object({ team_id: z.string(), order_id: z.string(), kind: z.enum(workKinds) });
export type OrderWorkMessage = z.output<typeof orderWorkMessage>;
