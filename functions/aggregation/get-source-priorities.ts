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

export const contract = endpoint({
  operationId: "getSourcePriorities",
  method: "GET",
  path: "/v2/team/source/priorities",
  tag: "aggregation",
  summary: "Retrieve source priorities",
  description: [
    "Returns the priorities by which queries select a provider if several deliver data of the same time.",
    "The list has every provider and data type, highest priority first; the default is 0.",
    "Among sources, the kind of device comes first, then `provider_priority_overrides` of a query, then this priority.",
    "Reads of samples and summaries return every source, whatever its priority.",
  ],
  auth: "team",
  params: z.object({}),
  query: z.object({ data_type: z.enum(priorityDataTypes).optional().describe("All data types without it") }),
  response: z.array(wireSourcePriority),
  access: [getItem(sourcePriorities)],
});

export const handler = implement(contract, async ({ scope, query }, { sourcePriorities }) => {
  const { priorities } = await sourcePriorities.get(scope);
  return toWirePriorities(priorities, query.data_type);
});
