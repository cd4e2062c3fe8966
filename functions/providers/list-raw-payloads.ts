import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { rawPayloads, users } from "../../lib/contract/resources.ts";
import { queryInteger, userParams, utcInstant } from "../../lib/contract/shared-schemas.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { payloadId, toWireRawPayload, wireRawPayload } from "../../lib/domain/connections/raw-payloads/raw-payload.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";

const skippedDay = z.object({ date: z.string(), count: z.int() });

export const contract = endpoint({
  operationId: "listRawPayloads",
  method: "GET",
  path: "/v2/raw_payloads/{user_id}",
  tag: "providers",
  summary: "List the kept payloads of a user",
  description: [
    "Lists the responses and pushes of providers that the service has kept for a user, the last received first.",
    "It keeps them only for teams with the feature `provider_raw_data`, until `raw_payload_days` are over.",
    "`since` is the first time of receipt and `until` the end, which is excluded.",
    "A page can be short or empty although more payloads follow: continue until `next_cursor` is null.",
    "`skipped` counts the payloads of each day that exceeded a bound and were not kept.",
  ],
  auth: "team",
  params: userParams,
  query: z.object({
    provider: knownProvider.optional(),
    resource: z.string().min(1).max(64).optional().describe("Unit of data that was pulled"),
    since: utcInstant.optional(),
    until: utcInstant.optional(),
    page_size: queryInteger(1, 100).default(50),
    next_cursor: z.string().max(2_000).optional().describe("Cursor of the page to return"),
  }),
  response: z
    .object({ data: z.array(wireRawPayload), skipped: z.array(skippedDay), next_cursor: z.string().nullable() })
    .meta({ id: "RawPayloadPage" }),
  errors: [UserNotFound],
  access: [getItem(users), queryItems(rawPayloads)],
});

export const handler = implement(contract, async ({ scope, params, query, pages }, { users, rawPayloads }) => {
  const { provider, resource, since, until, page_size, next_cursor } = query;
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const filter = {
    provider,
    resource,
    fromMs: since === undefined ? undefined : Date.parse(since),
    toMs: until === undefined ? undefined : Date.parse(until),
  };
  const after = pages.read(next_cursor, z.tuple([z.iso.datetime(), z.union([payloadId, z.literal("~")])]));
  const now = ports().clock.now();
  const { items, last } = await rawPayloads.list(scope, params.user_id, filter, after, page_size, now);
  return {
    data: items.map(toWireRawPayload),
    skipped: await rawPayloads.days.listSkipped(scope, params.user_id),
    next_cursor: last ? pages.write([...last]) : null,
  };
});
