import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { bulkOps } from "../../lib/contract/resources.ts";
import { noFields, queryInteger } from "../../lib/contract/shared-schemas.ts";
import { toWireBulkOp, wireBulkOp } from "../../lib/domain/connections/bulk-op.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { positionText } from "../../lib/store/cursor.ts";

export const contract = endpoint({
  operationId: "listBulkOps",
  method: "GET",
  path: "/v2/link/bulk_op",
  tag: "link",
  summary: "List bulk operations",
  description: [
    "Lists bulk imports and bulk history pulls of the last 90 days, newest first.",
    "`pending` and `processed` count users; the status is `failure` only if every user failed.",
    "An operation that is not complete after 30 days is `aborted`.",
    "A `page_size` of 0 returns no operations.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({
    page_size: queryInteger(0, 50).default(10),
    next_cursor: z.string().max(2_000).optional().describe("Cursor of the page to return"),
  }),
  response: z.object({ data: z.array(wireBulkOp), next_cursor: z.string().nullable() }).meta({ id: "BulkOpPage" }),
  access: [queryItems(bulkOps)],
});

export const handler = implement(contract, async ({ scope, query: { page_size, next_cursor }, pages }, { bulkOps }) => {
  const before = pages.read(next_cursor, z.tuple([positionText]))?.[0];
  if (page_size === 0) return { data: [], next_cursor: next_cursor ?? null };
  const { items, lastKey } = await bulkOps.list(scope, before, page_size);
  const now = ports().clock.now();
  const last = items.at(-1);
  return {
    data: items.map((op) => toWireBulkOp(op, now)),
    next_cursor: lastKey && last ? pages.write([last.op]) : null,
  };
});
