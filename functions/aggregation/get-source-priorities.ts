import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { sourcePriorities } from "../../lib/contract/resources.ts";
import {
  priorityDataTypes,
  toWirePriorities,
  wireSourcePriority,
} from "../../lib/domain/connections/sources/source-priorities.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Returns the team's ranking of providers by data type. */
export const contract = endpoint({
  operationId: "getSourcePriorities",
  method: "GET",
  path: "/v2/team/source/priorities",
  tag: "aggregation",
  summary: "Retrieve source priorities",
  auth: "team",
  params: z.object({}),
  query: z.object({ data_type: z.enum(priorityDataTypes).optional() }),
  response: z.array(wireSourcePriority),
  access: [getItem(sourcePriorities)],
});

export const handler = implement(contract, async ({ scope, query }, { sourcePriorities }) => {
  const { priorities } = await sourcePriorities.get(scope);
  return toWirePriorities(priorities, query.data_type);
});
