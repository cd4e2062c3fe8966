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

/** Returns the stream of a sleep, one list of samples per kind. A sleep without a stream has empty lists. */
export const contract = endpoint({
  operationId: "getStreamBySleepId",
  method: "GET",
  path: "/v2/timeseries/sleep/{sleep_id}/stream",
  tag: "timeseries",
  summary: "Retrieve the stream of a sleep",
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
