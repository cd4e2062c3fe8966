import * as z from "zod";
import { deleteItem, getItem, grants, putItem, updateItem } from "../../lib/contract/access.ts";
import { consoleRequestHeader } from "../../lib/contract/compatibility.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { consoleSessions, usage } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireConsoleSession } from "../../lib/domain/console/wire-console-session.ts";
import { NotPossible } from "../../lib/runtime/errors.ts";
import { expiredSignInCookie } from "../../lib/runtime/http/sign-in-cookie.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { answerSignIn, requireConsoleRequest } from "../../lib/services/console/answer-sign-in.ts";
import { finishSignIn, finishSignInAccess } from "../../lib/services/console/sign-in/finish-sign-in.ts";

export const contract = endpoint({
  operationId: "finishConsoleSignIn",
  method: "POST",
  path: "/console/sign-in/completion",
  tag: "console",
  summary: "Finish a sign-in to the console at the provider of a team",
  description: [
    "Exchanges the authorization response of the provider for a session of the console, in a cookie that scripts cannot read.",
    "The service redeems the code and verifies the ID token. The role follows from the claim that the team has chosen.",
    `The request needs the cookie of the sign-in, and the header \`${consoleRequestHeader}: 1\`.`,
    "A refusal says what the person does next, and opens no session: begin another sign-in.",
    "A sign-in ends the session that the browser had.",
  ],
  auth: "none",
  params: noFields,
  query: noFields,
  body: z.object({
    authorization_response: z
      .string()
      .max(8_000)
      .describe("The query that the provider added to the redirect URI, with `code` and `state`, or with `error`"),
  }),
  response: wireConsoleSession
    .extend({ return_to: z.string().describe("The place in the console to which the person wanted to go") })
    .meta({ id: "FinishedConsoleSignIn" }),
  status: 201,
  errors: [NotPossible],
  access: grants(
    finishSignInAccess,
    [getItem(consoleSessions), putItem(consoleSessions), deleteItem(consoleSessions)],
    [updateItem(usage)],
  ),
});

export const handler = implement(contract, async ({ body, event, log }, deps) => {
  requireConsoleRequest(event);
  const response = new URLSearchParams(body.authorization_response);
  const { opened, return_to } = await finishSignIn(response, event.cookies ?? [], deps, log);
  const cookies = [expiredSignInCookie(response.get("state") ?? "")];
  return answerSignIn(opened, { event, log }, deps, { fields: { return_to }, cookies });
});
