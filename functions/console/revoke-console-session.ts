import * as z from "zod";
import { deleteItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { consoleSessions } from "../../lib/contract/resources.ts";
import { noContent, noFields } from "../../lib/contract/shared-schemas.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { endSession } from "../../lib/store/console/console-session-list.ts";

export const contract = endpoint({
  operationId: "revokeConsoleSession",
  method: "DELETE",
  path: "/console/sessions/{session_id}",
  tag: "console",
  summary: "End a session of the console",
  description: [
    "Ends a session of the team at once. Its person must sign in again.",
    "Only a session with the role `admin` and every scope may call it.",
    "A session that has ended, and one of another team, answers `not_found`.",
  ],
  auth: "console",
  consoleRole: "admin",
  params: z.object({ session_id: z.guid().toLowerCase() }),
  query: noFields,
  response: noContent,
  status: 204,
  errors: [NotFound],
  access: [deleteItem(consoleSessions)],
});

export const handler = implement(contract, async ({ scope, params }, { consoleSessions }) => {
  const isEnded = await endSession(consoleSessions, scope, params.session_id, isoNow());
  if (!isEnded) throw new NotFound("There is no open session with this id.");
  return undefined;
});
