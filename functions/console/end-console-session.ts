import { deleteItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { consoleSessions } from "../../lib/contract/resources.ts";
import { noContent, noFields } from "../../lib/contract/shared-schemas.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { expiredConsoleCookie } from "../../lib/runtime/http/console-cookie.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { endSession } from "../../lib/store/console/console-session-list.ts";

export const contract = endpoint({
  operationId: "endConsoleSession",
  method: "DELETE",
  path: "/console/session",
  tag: "console",
  summary: "Sign out of the console",
  description: [
    "Ends the session of the request at once, and deletes its cookie.",
    "Links and other credentials that the session created depend on its key and stay valid.",
  ],
  auth: "console",
  params: noFields,
  query: noFields,
  response: noContent,
  status: 204,
  access: [deleteItem(consoleSessions)],
});

export const handler = implement(contract, async ({ scope, consoleSession }, { consoleSessions }) => {
  await endSession(consoleSessions, scope, consoleSession.session_id, isoNow());
  return new Answer("", { cookies: [expiredConsoleCookie()] });
});
