import * as z from "zod";
import { updateItem } from "../../lib/contract/access.ts";
import { consoleRequestHeader } from "../../lib/contract/compatibility.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { usage } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { consoleRole } from "../../lib/domain/console/console-session.ts";
import { consoleName, wireConsoleSession } from "../../lib/domain/console/wire-console-session.ts";
import { Forbidden, Unauthorized } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { answerSignIn, requireConsoleRequest } from "../../lib/services/console/answer-sign-in.ts";
import {
  openSessionAccess,
  openSessionWithKey,
  openSessionWithTicket,
} from "../../lib/services/console/open-session.ts";

export const contract = endpoint({
  operationId: "openConsoleSession",
  method: "POST",
  path: "/console/session",
  tag: "console",
  summary: "Sign in to the console",
  description: [
    "Exchanges an API key, an access token or a ticket for a session of the console, in a cookie that scripts cannot read.",
    `The request needs the header \`${consoleRequestHeader}: 1\`, which pages of other origins cannot send.`,
    "The session lasts eight hours at most, and ends with its key. It never has more scopes than its key.",
    "With a key, choose the `role` of the session, and a `name` for the access log.",
    "A ticket holds both, and works once. `POST /v1/org/{org_id}/team/{team_id}/console_ticket` creates it.",
    "A sign-in ends the session that the browser had.",
  ],
  auth: "none",
  params: noFields,
  query: noFields,
  body: z.union([
    z.object({
      key: z.string().min(1).max(200).describe("An API key or access token of the team"),
      role: consoleRole.default("admin"),
      name: consoleName.optional().describe("The person who signs in; the label of the key by default"),
    }),
    z.object({ ticket: z.string().min(1).max(200).describe("A ticket, which works once") }),
  ]),
  response: wireConsoleSession,
  status: 201,
  errors: [Unauthorized, Forbidden],
  access: [...openSessionAccess, updateItem(usage)],
});

export const handler = implement(contract, async ({ body, event, log }, deps) => {
  requireConsoleRequest(event);
  const opened =
    "ticket" in body ? await openSessionWithTicket(body.ticket, deps) : await openSessionWithKey(body, deps);
  return answerSignIn(opened, { event, log }, deps);
});
