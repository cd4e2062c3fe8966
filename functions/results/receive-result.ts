import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { operationOutcome } from "../../lib/domain/fhir/operation-outcome.ts";
import { receiveMessage } from "../../lib/labs/receive-message.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { receiveMessageReports } from "../../lib/services/results/receive-message.ts";
import { receiveReportAccess } from "../../lib/services/results/receive-report.ts";

export const contract = endpoint({
  operationId: "receiveResult",
  method: "POST",
  path: "/v3/lab_result",
  tag: "results",
  summary: "Receive a report from a laboratory",
  description: [
    "Receives a report of a laboratory, which calls it with its own key in `x-lab-key`.",
    "HL7 v2 (ORU^R01) gets an acknowledgement; a FHIR R4 `DiagnosticReport` or `Bundle` gets an OperationOutcome.",
    "The control id (MSH-10, or the identifier of a Bundle) identifies a message of a laboratory for 90 days.",
    "The same message again changes nothing and is acknowledged; another message with its control id is refused.",
    "A report without a certain order becomes an unmatched result, and `labtest.match_review.created` follows.",
    "Otherwise `labtest.order.updated` follows, for partial results only with `partial_webhooks_enabled`.",
    "`labtest.result.critical` follows when a result becomes critical, even a partial one.",
    "A body is UTF-8 of at most 1,048,576 bytes; a refused one, as a training message in production, gets 422.",
  ],
  auth: "lab",
  params: noFields,
  query: noFields,
  body: z.string().meta({ description: "HL7 v2 message (ORU^R01) in UTF-8, or FHIR R4 message", phi: true }),
  mediaTypes: ["application/hl7-v2", "text/plain", "application/fhir+json", "application/json"],
  response: operationOutcome,
  access: receiveReportAccess,
});

export const handler = implement(contract, async ({ scope, team, lab, body, log }, deps) => {
  const processing = deployment().environment === "production" ? "P" : "T";
  const control = ports().ids.bytes(10).toString("hex");
  const incoming = receiveMessage(body, { lab, control, at: isoNow(), processing });
  const refusal = await receiveMessageReports({ scope, team }, incoming, deps, log);
  const { text, mediaType } = incoming.answer(refusal);
  const isRefused = incoming.refusal !== undefined || refusal !== undefined;
  return new Answer(text, { status: isRefused ? 422 : 200, headers: { "content-type": mediaType } });
});
