import * as z from "zod";
import { updateItem } from "../../lib/contract/access.ts";
import { consoleRequestHeader } from "../../lib/contract/compatibility.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { usage } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { returnTo } from "../../lib/domain/console/console-sign-in.ts";
import { NotPossible } from "../../lib/runtime/errors.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireConsoleRequest } from "../../lib/services/console/answer-sign-in.ts";
import { beginSignIn, beginSignInAccess } from "../../lib/services/console/sign-in/begin-sign-in.ts";

export const contract = endpoint({
  operationId: "beginConsoleSignIn",
  method: "POST",
  path: "/console/sign-in",
  tag: "console",
  summary: "Begin a sign-in to the console at the provider of a team",
  description: [
    "Returns the address at the OpenID Connect provider of the team, to which the page sends the browser.",
    "The response sets a cookie: only this browser can finish the sign-in, once and within ten minutes.",
    `The request needs the header \`${consoleRequestHeader}: 1\`, which pages of other origins cannot send.`,
    "The provider sends the browser back to the page `/console/sign-in`, which calls `finishConsoleSignIn`.",
  ],
  auth: "none",
  params: noFields,
  query: noFields,
  body: z.object({
    team_id: z.guid().toLowerCase(),
    return_to: returnTo.describe("The place in the console that the page opens after the sign-in"),
  }),
  response: z
    .object({ authorization_url: z.url().describe("Address at the provider"), expires_at: z.string() })
    .meta({ id: "ConsoleSignIn" }),
  status: 201,
  errors: [NotPossible],
  access: [...beginSignInAccess, updateItem(usage)],
});

export const handler = implement(contract, async ({ body, event, log }, deps) => {
  requireConsoleRequest(event);
  const { cookie, ...begun } = await beginSignIn(body, deps, log);
  return new Answer(JSON.stringify(begun), { cookies: [cookie] });
});
