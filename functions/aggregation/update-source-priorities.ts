import * as z from "zod";
import { get, put } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { sourcePriorities } from "../../lib/contract/resources.ts";
import {
  sourcePrioritiesPatch,
  toWirePriorities,
  wireSourcePriority,
  withPriorities,
} from "../../lib/domain/sources/source-priorities.ts";
import { Conflict } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

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
  params: nothing,
  query: nothing,
  body: sourcePrioritiesPatch.optional(),
  response: z.array(wireSourcePriority),
  errors: [Conflict],
  access: [get(sourcePriorities), put(sourcePriorities)],
});

export const handler = implement(contract, async ({ scope, body }, { sourcePriorities }) => {
  const stored = await sourcePriorities.get(scope);
  if (!body || body.length === 0) return toWirePriorities(stored.priorities);
  const priorities = withPriorities(stored.priorities, body);
  try {
    await sourcePriorities.set(scope, priorities, stored);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new Conflict("The priorities changed at the same time. Retrieve them and try again.", { cause: error });
  }
  return toWirePriorities(priorities);
});
