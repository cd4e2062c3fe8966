import { deleteItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { sessions } from "../../lib/contract/resources.ts";
import { noFields, successResponse } from "../../lib/contract/shared-schemas.ts";
import { ConnectionEnded, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "revokeSession",
  method: "POST",
  path: "/v2/sdk/session/revoke",
  tag: "sdk",
  summary: "Revoke a phone session",
  description: [
    "Ends the session of the calling phone, for example when the user signs out.",
    "Both of its tokens stop working.",
    "Data that the phone has sent stays, and no event follows.",
    "The connections of the user stay too; `DELETE /v2/user/{user_id}/{provider}` ends one.",
  ],
  auth: "session",
  params: noFields,
  query: noFields,
  response: successResponse,
  errors: [UserNotFound, ConnectionEnded],
  access: [deleteItem(sessions)],
});

export const handler = implement(contract, async ({ scope, session }, { sessions }) => {
  await sessions.delete(scope, session.user_id, session.session_id);
  return { success: true };
});
