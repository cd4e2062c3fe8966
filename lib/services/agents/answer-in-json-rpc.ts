import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import * as z from "zod";
import { rpcCodes } from "../../domain/agents/agent-message.ts";
import type { Handler } from "../../runtime/implement.ts";
import { baseUrl } from "../../runtime/wire-source.ts";
import { toChallenge } from "./challenge.ts";

/** An error in the shape of the API. */
const apiError = z.object({ detail: z.unknown(), code: z.string(), request_id: z.string().optional() });

/** JSON-RPC codes by the API's own code. Other errors of a status below 500 have their status as code. */
const codes: Readonly<Record<string, number>> = {
  malformed_body: rpcCodes.parseError,
  body_too_large: rpcCodes.invalidRequest,
  validation_failed: rpcCodes.invalidRequest,
};

/**
 * Wraps the handler of the endpoint for agents. It refuses web pages of other origins, also those whose host name
 * resolves to this service (DNS rebinding), and renders the errors of the frame as JSON-RPC errors without an id.
 */
export function answerInJsonRpc(handler: Handler): Handler {
  return async (event, context) => {
    if (isForeignPage(event)) return refuseForeignPage(event);
    const answer = await handler(event, context);
    const status = answer.statusCode ?? 200;
    const error = status < 400 || answer.isBase64Encoded ? undefined : parseApiError(answer.body);
    return error === undefined ? answer : toRpcAnswer(answer, status, error);
  };
}

function parseApiError(body = ""): z.output<typeof apiError> | undefined {
  return apiError.safeParse(JSON.parse(body)).data;
}

function toRpcAnswer(
  answer: APIGatewayProxyStructuredResultV2,
  status: number,
  { code, detail, request_id }: z.output<typeof apiError>,
): APIGatewayProxyStructuredResultV2 {
  const message = typeof detail === "string" ? detail : "The request is invalid.";
  const error = { code: codes[code] ?? (status < 500 ? status : rpcCodes.internalError), message };
  const challenge = status === 401 ? { "www-authenticate": toChallenge() } : {};
  const body = JSON.stringify({ jsonrpc: "2.0", error: { ...error, data: { code, request_id } } });
  return { ...answer, headers: { ...answer.headers, ...challenge }, body };
}

/** Clients that are no browser send no `Origin` (Fetch standard, "Origin header"). */
const isForeignPage = ({ headers: { origin } }: APIGatewayProxyEventV2) =>
  origin !== undefined && origin !== new URL(baseUrl()).origin;

function refuseForeignPage({ requestContext }: APIGatewayProxyEventV2): APIGatewayProxyStructuredResultV2 {
  const detail = "Pages of this origin may not call the endpoint for agents.";
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  return toRpcAnswer({ statusCode: 403, headers }, 403, {
    ...{ detail, code: "forbidden" },
    request_id: requestContext.requestId,
  });
}
