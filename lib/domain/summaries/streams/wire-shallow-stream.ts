import * as z from "zod";
import { wireSource } from "../../connections/sources/source.ts";
import { sport } from "../workouts.ts";

/** Reference to a workout stream in an event; the stream itself is too large for an event. */
export const wireShallowStream = z
  .object({
    user_id: z.guid(),
    source: wireSource,
    workout_id: z.guid().describe("Id to read the stream by"),
    provider_id: z.string().describe("The provider's id of the workout"),
    sport,
    message: z.string().describe("Instructions for reading the stream"),
  })
  .meta({ id: "ShallowWorkoutStream" });
