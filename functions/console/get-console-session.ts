import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireConsoleSession } from "../../lib/domain/console/wire-console-session.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { toWireSession } from "../../lib/services/console/wire-session.ts";

export const contract = endpoint({
  operationId: "getConsoleSession",
  method: "GET",
  path: "/console/session",
  tag: "console",
  summary: "Retrieve the session of the console",
  description: [
    "Returns the session of the request: its team, its person, its role, and the scopes that it has now.",
    "Without an open session the answer is `unauthorized`: sign in again.",
  ],
  auth: "console",
  params: noFields,
  query: noFields,
  response: wireConsoleSession,
  access: [],
});

export const handler = implement(contract, async ({ consoleSession, team, key, scopes }) =>
  toWireSession(consoleSession, team, { key, scopes }),
);
