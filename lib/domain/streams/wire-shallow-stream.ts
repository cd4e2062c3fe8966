import * as z from "zod";
import { wireSource } from "../sources/source.ts";
import { sport } from "../summaries/workouts.ts";

/** What an event says of a workout's stream, which is too big for an event itself (spec, Workout stream events). */
export const wireShallowStream = z
  .object({
    user_id: z.guid(),
    source: wireSource,
    workout_id: z.guid().describe("By this the stream is read"),
    provider_id: z.string().describe("The provider's id of the workout"),
    sport,
    message: z.string().describe("How to read the stream, for people"),
  })
  .meta({ id: "ShallowWorkoutStream" });
