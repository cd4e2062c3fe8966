import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { pushQuery } from "../../lib/domain/connections/pulls/push-query.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "checkPushAddress",
  method: "HEAD",
  path: "/v2/link/push/{provider}",
  tag: "link",
  summary: "Check a push URL",
  description: [
    "Confirms with 200 that the address for pushes exists, for providers that check it with HEAD.",
    "It checks no secret and answers the same for all known providers, also those without pushes.",
  ],
  auth: "none",
  params: z.object({ provider: knownProvider }),
  query: pushQuery,
  response: z.null(),
  access: [],
});

export const handler = implement(contract, async () => new Answer(""));
