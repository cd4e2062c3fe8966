import * as z from "zod";
import { get, load, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { streamRecords, streams, summaries, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { workoutStream } from "../../lib/domain/streams/workout-stream.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readStream } from "../../lib/runtime/reading-streams.ts";

/**
 * Returns the stream of a workout. Each list has one element per time point. A workout without a stream has empty
 * lists.
 */
export const contract = endpoint({
  operationId: "getStreamByWorkoutId",
  method: "GET",
  path: "/v2/timeseries/workouts/{workout_id}/stream",
  tag: "timeseries",
  summary: "Retrieve the stream of a workout",
  auth: "team",
  params: z.object({ workout_id: z.guid().toLowerCase().meta({ description: "Id of the workout summary" }) }),
  query: nothing,
  response: workoutStream.wire,
  errors: [NotFound],
  access: [get(users), query(summaries, "by_id"), get(streamRecords), load(streams), ...underUserKeys],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params }, uses) => {
  const stream = await readStream(uses, scope, workoutStream, params.workout_id);
  if (!stream) throw new NotFound("There is no workout with this id.");
  return stream;
});
