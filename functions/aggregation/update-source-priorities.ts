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

/**
 * Sets the priorities of providers. Data types that the body omits keep their priorities; an empty body changes
 * nothing.
 */
export const contract = endpoint({
  operationId: "updateSourcePriorities",
  method: "PATCH",
  path: "/v2/team/source/priorities",
  tag: "aggregation",
  summary: "Update source priorities",
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
