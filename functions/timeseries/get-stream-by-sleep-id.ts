import * as z from "zod";
import { getItem, getObject, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { streamRecords, streams, summaries, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { sleepStream } from "../../lib/domain/summaries/streams/sleep-stream.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readStream } from "../../lib/services/summaries/read-stream.ts";

export const contract = endpoint({
  operationId: "getStreamBySleepId",
  method: "GET",
  path: "/v2/timeseries/sleep/{sleep_id}/stream",
  tag: "timeseries",
  summary: "Retrieve the stream of a sleep",
  description: [
    "Returns the samples of one sleep: heart rate, heart rate variability, respiratory rate and the hypnogram.",
    "Take the id from `GET /v2/summary/sleep/{user_id}`; no event announces the stream of a sleep.",
    "Values of the hypnogram are -1 unknown, 1 deep, 2 light, 3 REM, 4 awake and 5 entered by hand.",
    "A sleep without a stream answers 200 with empty lists; an unknown id answers `not_found`.",
    "For stages as intervals, read `GET /v2/summary/sleep_cycle/{user_id}`.",
  ],
  auth: "team",
  params: z.object({ sleep_id: z.guid().toLowerCase().meta({ description: "Id of the sleep summary" }) }),
  query: noFields,
  response: sleepStream.wire,
  errors: [NotFound],
  access: [
    getItem(users),
    queryItems(summaries, "by_id"),
    getItem(streamRecords),
    getObject(streams),
    ...userKeyAccess,
  ],
  deprecated: true,
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params }, deps) => {
  const stream = await readStream(deps, scope, sleepStream, params.sleep_id);
  if (!stream) throw new NotFound("There is no sleep with this id.");
  return stream;
});
