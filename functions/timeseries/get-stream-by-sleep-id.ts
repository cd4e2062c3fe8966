import * as z from "zod";
import { get, load, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { streamRecords, streams, summaries, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { sleepStream } from "../../lib/domain/streams/sleep-stream.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readStream } from "../../lib/runtime/reading-streams.ts";

/** Returns the stream of a sleep, one list of samples per kind. A sleep without a stream has empty lists. */
export const contract = endpoint({
  operationId: "getStreamBySleepId",
  method: "GET",
  path: "/v2/timeseries/sleep/{sleep_id}/stream",
  tag: "timeseries",
  summary: "Retrieve the stream of a sleep",
  auth: "team",
  params: z.object({ sleep_id: z.guid().toLowerCase().meta({ description: "Id of the sleep summary" }) }),
  query: nothing,
  response: sleepStream.wire,
  errors: [NotFound],
  access: [get(users), query(summaries, "by_id"), get(streamRecords), load(streams), ...underUserKeys],
  deprecated: true,
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params }, uses) => {
  const stream = await readStream(uses, scope, sleepStream, params.sleep_id);
  if (!stream) throw new NotFound("There is no sleep with this id.");
  return stream;
});
