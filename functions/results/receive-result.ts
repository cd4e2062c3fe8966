import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { operationOutcome } from "../../lib/labs/fhir/receive-fhir.ts";
import { receiveMessage } from "../../lib/labs/receive-message.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { receiveMessageReports } from "../../lib/services/results/receive-message.ts";
import { receiveReportAccess } from "../../lib/services/results/receive-report.ts";

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
