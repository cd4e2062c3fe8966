import * as z from "zod";
import { getItem, getObject, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { streamRecords, streams, summaries, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { workoutStream } from "../../lib/domain/summaries/streams/workout-stream.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readStream } from "../../lib/services/summaries/read-stream.ts";

export const contract = endpoint({
  operationId: "getStreamByWorkoutId",
  method: "GET",
  path: "/v2/timeseries/workouts/{workout_id}/stream",
  tag: "timeseries",
  summary: "Retrieve the stream of a workout",
  description: [
    "Returns the detailed course of one workout, such as heart rate, speed, power and position.",
    "Take the id from `GET /v2/summary/workouts/{user_id}`, or from `daily.data.workout_stream.created`.",
    "That event follows once both the stream and its workout are stored; the stream itself is too large for an event.",
    "Each list is as long as `time`, with null for invalid values; a list without any value is empty.",
    "A workout without a stream answers 200 with empty lists; an unknown id answers `not_found`.",
    "A stream has at most 100,000 points.",
  ],
  auth: "team",
  params: z.object({ workout_id: z.guid().toLowerCase().meta({ description: "Id of the workout summary" }) }),
  query: noFields,
  response: workoutStream.wire,
  errors: [NotFound],
  access: [
    getItem(users),
    queryItems(summaries, "by_id"),
    getItem(streamRecords),
    getObject(streams),
    ...userKeyAccess,
  ],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params }, deps) => {
  const stream = await readStream(deps, scope, workoutStream, params.workout_id);
  if (!stream) throw new NotFound("There is no workout with this id.");
  return stream;
});
