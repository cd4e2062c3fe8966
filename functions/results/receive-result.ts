import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { operationOutcome } from "../../lib/domain/fhir/operation-outcome.ts";
import { decodeMessage } from "../../lib/labs/decode-message.ts";
import { receiveMessages } from "../../lib/labs/receive-messages.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { receiveMessageAccess, receiveMessageReports } from "../../lib/services/results/receive-message.ts";

export const contract = endpoint({
  operationId: "receiveResult",
  method: "POST",
  path: "/v3/lab_result",
  tag: "results",
  summary: "Receive a report from a laboratory",
  description: [
    "Receives a report of a laboratory, which calls it with its own key in `x-lab-key`.",
    "HL7 v2 (ORU^R01, alone or in a batch) gets an acknowledgement for each message.",
    "A FHIR R4 `DiagnosticReport` or `Bundle` gets an OperationOutcome.",
    "The control id (MSH-10, or the identifier of a Bundle) identifies a message of a laboratory for 90 days.",
    "The same message again changes nothing and is acknowledged; another message with its control id is refused.",
    "A report without a certain order becomes an unmatched result, and `labtest.match_review.created` follows.",
    "Otherwise `labtest.order.updated` follows, for partial results only with `partial_webhooks_enabled`.",
    "`labtest.result.critical` follows when a result becomes critical, even a partial one.",
    "The result completes an open appointment of the order, with `labtest.appointment.updated`.",
    "A body has at most 1,048,576 bytes, in UTF-8 or the character set of its content type or MSH-18.",
    "A refused message, such as a training message in production, gets 422. In a batch, the others are stored.",
  ],
  auth: "lab",
  params: noFields,
  query: noFields,
  body: z.string().meta({ description: "HL7 v2 message (ORU^R01) or batch, or FHIR R4 message", phi: true }),
  decodeBody: decodeMessage,
  mediaTypes: ["application/hl7-v2", "text/plain", "application/fhir+json", "application/json"],
  response: operationOutcome,
  access: receiveMessageAccess,
});

export const handler = implement(contract, async ({ scope, team, lab, body, log }, deps) => {
  const processing = deployment().environment === "production" ? "P" : "T";
  const control = ports().ids.bytes(10).toString("hex");
  const { messages, mediaType, answer } = receiveMessages(body, { lab, control, at: isoNow(), processing });
  const answers: string[] = [];
  let isRefused = false;
  for (const message of messages) {
    const refusal = await receiveMessageReports({ scope, team }, message, deps, log);
    isRefused ||= message.refusal !== undefined || refusal !== undefined;
    answers.push(message.answer(refusal));
  }
  return new Answer(answer(answers), { status: isRefused ? 422 : 200, headers: { "content-type": mediaType } });
});
