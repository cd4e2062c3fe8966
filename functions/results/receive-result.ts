import * as z from "zod";
import { check, get, load, put, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import {
  labMessages,
  matchReviews,
  orderPlacements,
  orders,
  outbox,
  results,
  users,
} from "../../lib/contract/resources.ts";
import { operationOutcome } from "../../lib/labs/fhir/receive.ts";
import { readIncoming } from "../../lib/labs/incoming.ts";
import { Answer } from "../../lib/runtime/answer.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { takeAll } from "../../lib/runtime/results/taking-messages.ts";

/**
 * Receives a report of a laboratory: an HL7 v2 ORU^R01 message, which an HL7 acknowledgment answers, or a FHIR R4
 * message, which an OperationOutcome answers. A repeated message changes nothing and gets the first response.
 */
export const contract = endpoint({
  operationId: "receiveResult",
  method: "POST",
  path: "/v3/lab_result",
  tag: "results",
  summary: "Receive a report from a laboratory",
  auth: "lab",
  params: nothing,
  query: nothing,
  body: z.string().meta({ description: "HL7 v2 message (ORU^R01) in UTF-8, or FHIR R4 message", phi: true }),
  mediaTypes: ["application/hl7-v2", "text/plain", "application/fhir+json", "application/json"],
  response: operationOutcome,
  access: [
    get(users),
    check(users),
    get(orders),
    put(orders),
    query(orders, "team_orders"),
    get(results),
    put(results),
    put(matchReviews),
    get(labMessages),
    put(labMessages),
    put(outbox),
    load(orderPlacements),
  ],
});

export const handler = implement(contract, async ({ scope, team, lab, body, log }, uses) => {
  const processing = deployment().environment === "production" ? "P" : "T";
  const control = ports().ids.bytes(10).toString("hex");
  const incoming = readIncoming(body, { lab, control, at: isoNow(), processing });
  const refusal = await takeAll({ scope, team }, incoming, uses, log);
  const { text, mediaType } = incoming.answer(refusal);
  const isRefused = incoming.refusal !== undefined || refusal !== undefined;
  return new Answer(text, { status: isRefused ? 422 : 200, headers: { "content-type": mediaType } });
});
