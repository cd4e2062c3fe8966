import * as z from "zod";
import { typedString } from "../../contract/open-enum.ts";
import { bookableVenue } from "../appointments/appointment-record.ts";
import type { LowLevelStatus, StatusDetail } from "../orders/lifecycle/order-status.ts";
import { interpretations } from "../orders/wire-order.ts";
import { resultTypes } from "../results/wire-result.ts";

/** Options for the results of a simulation. */
export const simulationFlags = z
  .object({
    interpretation: z.enum(interpretations).default("normal"),
    result_types: z
      .array(z.enum(resultTypes))
      .max(10)
      .nullish()
      .describe("Types of the values, in rotation. Default: the types that suit the markers"),
    has_missing_results: z.boolean().nullish().describe("Whether the last marker has no value"),
  })
  .meta({ id: "SimulationFlags" });

const simulationStep = z.object({
  level: typedString<LowLevelStatus>(),
  at: z.string(),
  detail: typedString<StatusDetail>().nullable(),
});

/**
 * Order task: submit an order to its laboratory, cancel the order there, run a simulation, or send appointments to
 * their provider.
 */
const orderTaskDraft = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("submit") }),
  z.object({ kind: z.literal("cancel") }),
  z.object({
    kind: z.literal("walk"),
    steps: z.array(simulationStep).min(1),
    flags: simulationFlags,
    /** Venue at which the simulation books the order's appointments, if any. */
    meeting: bookableVenue.nullish(),
  }),
  z.object({
    kind: z.literal("visit"),
    /** Appointments whose current state the provider must receive. */
    appointment_ids: z.array(z.string()).min(1),
    /** Deadline of a pending confirmation, ISO 8601. */
    deadline: z.string().nullable(),
  }),
]);
export type OrderTaskDraft = z.output<typeof orderTaskDraft>;
/** Simulation plan: the remaining steps of a simulated order, the next one first. */
export type SimulationPlan = Extract<OrderTaskDraft, { kind: "walk" }>;
/** Task that sends appointments to their provider. */
export type AppointmentTask = Extract<OrderTaskDraft, { kind: "visit" }>;

/**
 * Stored order task. An order has at most one task of each kind; `work_id` distinguishes a task from its predecessor.
 */
export const orderTaskRecord = z.object({
  team_id: z.string(),
  order_id: z.string(),
  work_id: z.string(),
  due_at: z.string(),
  work: orderTaskDraft,
});
export type OrderTask = z.output<typeof orderTaskRecord>;

const taskKinds = ["submit", "cancel", "walk", "visit"] as const;

/** Queue message for a due order task. */
export const orderTaskMessage = z.object({ team_id: z.string(), order_id: z.string(), kind: z.enum(taskKinds) });
export type OrderTaskMessage = z.output<typeof orderTaskMessage>;
