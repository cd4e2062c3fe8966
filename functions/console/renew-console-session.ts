import { updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { consoleSessions } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { idleEnd } from "../../lib/domain/console/console-session.ts";
import { wireConsoleSession } from "../../lib/domain/console/wire-console-session.ts";
import { Unauthorized } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { toWireSession } from "../../lib/services/console/wire-session.ts";
import { renewSession } from "../../lib/store/console/console-session-list.ts";

export const contract = endpoint({
  operationId: "renewConsoleSession",
  method: "POST",
  path: "/console/session/renewal",
  tag: "console",
  summary: "Renew the session of the console",
  description: [
    "Moves the end of the session of the request by its idle time, as long as it lasts eight hours at most.",
    "The page calls it when the person does something. No other request renews a session, so a page that only refreshes ends.",
  ],
  auth: "console",
  params: noFields,
  query: noFields,
  response: wireConsoleSession,
  access: [updateItem(consoleSessions)],
});

export const handler = implement(
  contract,
  async ({ scope, consoleSession, team, key, scopes }, { consoleSessions }) => {
    const idleEndsAt = idleEnd(consoleSession, ports().clock.now());
    const renewal = { idleEndsAt, now: isoNow() };
    const isRenewed = await renewSession(consoleSessions, scope, consoleSession.session_id, renewal);
    if (!isRenewed) throw new Unauthorized("The session has ended.");
    return toWireSession({ ...consoleSession, idle_ends_at: idleEndsAt }, team, { key, scopes });
  },
);
