import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { consoleSessions } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { isOpen } from "../../lib/domain/console/console-session.ts";
import { toListedSession, wireListedSession } from "../../lib/domain/console/wire-console-session.ts";
import { readFilteredPage } from "../../lib/runtime/http/filtered-page.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { listSessions } from "../../lib/store/console/console-session-list.ts";

/** Maximum number of sessions in one response. */
const PAGE = 100;

export const contract = endpoint({
  operationId: "listConsoleSessions",
  method: "GET",
  path: "/console/sessions",
  tag: "console",
  summary: "List the sessions of the console",
  description: [
    "Lists the open sessions of the team in no particular order, with up to 100 in a page.",
    "Only a session with the role `admin` and every scope may call it.",
    "A session whose key has ended stays in the list until it expires, but opens nothing.",
  ],
  auth: "console",
  consoleRole: "admin",
  params: noFields,
  query: z.object({ next_cursor: z.string().max(2_000).nullish().describe("From the response for the previous page") }),
  response: z
    .object({ data: z.array(wireListedSession), next_cursor: z.string().nullable() })
    .meta({ id: "ConsoleSessionPage" }),
  access: [queryItems(consoleSessions)],
});

export const handler = implement(contract, async ({ scope, query, pages }, { consoleSessions }) => {
  const now = isoNow();
  const { found, next_cursor } = await readFilteredPage({
    read: (after, limit) => listSessions(consoleSessions, scope, after, limit),
    matches: (session) => isOpen(session, now),
    size: PAGE,
    next_cursor: query.next_cursor,
    pages,
  });
  return { data: found.map(toListedSession), next_cursor };
});
