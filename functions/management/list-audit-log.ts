import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { auditLog } from "../../lib/contract/resources.ts";
import { utcInstant } from "../../lib/contract/shared-schemas.ts";
import { auditEntry } from "../../lib/domain/audit/audit-entry.ts";
import { Forbidden, NotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { auditEntryPosition } from "../../lib/store/audit/audit-log.ts";
import { positionText } from "../../lib/store/cursor.ts";

/** Maximum number of entries in one response. */
const PAGE = 100;
/** Bounds that sort before and after each instant with a four-digit year. */
const START_OF_TIME = "0";
const END_OF_TIME = "9999-12-31T23:59:59.999Z";

export const contract = endpoint({
  operationId: "listAuditLog",
  method: "GET",
  path: "/v1/org/{org_id}/audit_log",
  tag: "management",
  summary: "List the audit log of an organization",
  description: [
    "Lists the management calls of an organisation, newest first, with up to 100 entries in a page.",
    "The log contains every call with a valid key, rejected ones and this one too.",
    "Entries stay for six years; without bounds, the list begins with the latest.",
    "Pass `next_cursor` with the same bounds for the next page; null marks the last one.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase() }),
  query: z.object({
    start_at: utcInstant.optional().meta({ description: "Start, inclusive" }),
    end_at: utcInstant.optional().meta({ description: "End, exclusive" }),
    next_cursor: z.string().max(2_000).optional().describe("From the response for the previous page"),
  }),
  response: z.object({ entries: z.array(auditEntry), next_cursor: z.string().nullable() }).meta({ id: "AuditLogPage" }),
  errors: [Forbidden, NotFound],
  access: [queryItems(auditLog)],
});

export const handler = implement(contract, async ({ params, query, pages }, { auditLog }) => {
  const { start_at = START_OF_TIME, end_at = END_OF_TIME, next_cursor } = query;
  if (start_at > end_at) throw ValidationFailed.at(["query", "end_at"], "Before start_at");
  const before = pages.read(next_cursor, z.tuple([positionText]));
  const range = { from: start_at, to: end_at };
  const { items, lastKey } = await auditLog.list(params.org_id, range, before?.[0], PAGE);
  const last = items.at(-1);
  return { entries: items, next_cursor: lastKey && last ? pages.write([auditEntryPosition(last)]) : null };
});
