import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { ERROR_CODE_SYSTEM, FHIR_MEDIA_TYPE } from "../../contract/fhir-paths.ts";
import type { OperationOutcome } from "../../domain/fhir/operation-outcome.ts";
import type { ApiError } from "../errors.ts";
import { commonHeaders } from "./answer.ts";

/** Codes of issues by status (FHIR R4, issue-type). */
const issueTypes: Readonly<Record<number, string>> = {
  400: "invalid",
  401: "login",
  403: "forbidden",
  404: "not-found",
  410: "deleted",
  413: "too-long",
  429: "throttled",
  503: "transient",
};

/** FHIR R4 answers malformed parameters with 400 (section 3.1.0.9), and ids that cannot exist with 404. */
function statusOf({ kind, detail }: ApiError): number {
  if (kind.status !== 422) return kind.status;
  return Array.isArray(detail) && detail.some(({ loc }) => loc[0] === "path") ? 404 : 400;
}

const describe = (detail: ApiError["detail"]): string[] => {
  if (typeof detail === "string") return [detail];
  if (!Array.isArray(detail)) return [JSON.stringify(detail)];
  return detail.map(({ loc, msg }: { loc: readonly unknown[]; msg: string }) => `${loc.slice(1).join(".")}: ${msg}`);
};

/** Renders an error of the FHIR interface as an OperationOutcome. It names the service's own error code in `details`. */
export function renderOutcome(error: ApiError, requestId: string): APIGatewayProxyStructuredResultV2 {
  const status = statusOf(error);
  const details = { coding: [{ system: ERROR_CODE_SYSTEM, code: error.kind.code }] };
  const code = issueTypes[status] ?? "exception";
  const outcome: OperationOutcome = {
    resourceType: "OperationOutcome",
    issue: describe(error.detail).map((diagnostics) => ({ severity: "error", code, details, diagnostics })),
  };
  return {
    statusCode: status,
    headers: { "content-type": FHIR_MEDIA_TYPE, ...commonHeaders(requestId), ...error.headers },
    body: JSON.stringify(outcome),
  };
}
