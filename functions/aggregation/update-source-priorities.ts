import * as z from "zod";
import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { sourcePriorities } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import {
  patchSourcePriorities,
  sourcePrioritiesPatch,
  toWirePriorities,
  wireSourcePriority,
} from "../../lib/domain/connections/sources/source-priorities.ts";
import { Conflict } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "updateSourcePriorities",
  method: "PATCH",
  path: "/v2/team/source/priorities",
  tag: "aggregation",
  summary: "Update source priorities",
  description: [
    "Sets priorities of providers by data type; the larger number wins.",
    "Entries that the body omits keep their priority, and an empty body changes nothing.",
    "The response has the priorities of all providers and data types.",
    "Queries use them at once; a continuous query uses them from its next computation of a group on.",
    "A request holds at most 1,000 entries.",
    "If the priorities change at the same time, the answer is `conflict`: read them and try again.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: sourcePrioritiesPatch.optional(),
  response: z.array(wireSourcePriority),
  errors: [Conflict],
  access: [getItem(sourcePriorities), putItem(sourcePriorities)],
});

export const handler = implement(contract, async ({ scope, body }, { sourcePriorities }) => {
  const stored = await sourcePriorities.get(scope);
  if (!body || body.length === 0) return toWirePriorities(stored.priorities);
  const priorities = patchSourcePriorities(stored.priorities, body);
  await explainConditionFailed(
    sourcePriorities.replace(scope, priorities, stored),
    (cause) => new Conflict("The priorities changed at the same time. Retrieve them and try again.", { cause }),
  );
  return toWirePriorities(priorities);
});
