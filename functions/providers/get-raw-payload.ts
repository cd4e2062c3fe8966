import * as z from "zod";
import { getItem, getObject } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { rawPayloadObjects, rawPayloads, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { payloadId } from "../../lib/domain/connections/raw-payloads/raw-payload.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";

export const contract = endpoint({
  operationId: "getRawPayload",
  method: "GET",
  path: "/v2/raw_payloads/{user_id}/{payload_id}",
  tag: "providers",
  summary: "Retrieve a kept payload",
  description: [
    "Returns the body of a response or push as the provider sent it, with its content type.",
    "`redacted` replaces access tokens and other secrets in it; of a push, it has only the part about this user.",
    "The service answers `not_found` once the `raw_payload_days` of the team are over.",
  ],
  auth: "team",
  params: userParams.extend({ payload_id: payloadId }),
  query: noFields,
  response: z.string().meta({ description: "The body as received", mediaType: "application/octet-stream" }),
  errors: [UserNotFound, NotFound],
  access: [getItem(users), getItem(rawPayloads), getObject(rawPayloadObjects), ...userKeyAccess],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params }, { users, rawPayloads }) => {
  const { user_id, payload_id } = params;
  if (!(await users.get(scope, user_id))) throw new UserNotFound();
  const payload = await rawPayloads.get(scope, user_id, payload_id, ports().clock.now());
  if (!payload) throw new NotFound("There is no payload with this id.");
  const body = await rawPayloads.readBody(scope, user_id, payload);
  // A browser must not show what a provider calls a page as a page of this service.
  const headers = {
    "content-type": payload.content_type ?? "application/octet-stream",
    "content-disposition": `attachment; filename="${payload_id}"`,
  };
  return new Answer(body.toString("base64"), { headers, isFile: true });
});
