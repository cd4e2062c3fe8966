import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { RequestTarget } from "./request-target.ts";

/** A routed request with its body, and the identifiers of the API. */
export interface RoutedRequest {
  readonly request: IncomingMessage;
  readonly target: RequestTarget;
  readonly body: Buffer;
  readonly routeKey: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly apiId: string;
  readonly accountId: string;
  readonly requestId: string;
  /** When the request was received, epoch milliseconds. */
  readonly timeEpochMs: number;
}

/** Hop-by-hop headers (RFC 9110 section 7.6.1), and `cookie`, which has its own field in the event. */
const OMITTED_HEADERS = new Set(["connection", "keep-alive", "te", "transfer-encoding", "upgrade", "cookie"]);

/**
 * The Lambda event of a request in payload format 2.0 (API Gateway, "Create AWS Lambda proxy integrations for HTTP
 * APIs"). As in AWS, `rawPath` is decoded despite its name, and the query string is not.
 */
export function toGatewayEvent(routed: RoutedRequest): APIGatewayProxyEventV2 {
  const { request, target, routeKey, pathParameters } = routed;
  const rawPath = `/${target.segments.join("/")}`;
  const cookies = (request.headers.cookie ?? "").split(";").map((cookie) => cookie.trim());
  const query = joinRepeated(new URLSearchParams(target.rawQuery));
  return {
    version: "2.0",
    routeKey,
    rawPath,
    rawQueryString: target.rawQuery,
    ...(request.headers.cookie ? { cookies: cookies.filter((cookie) => cookie !== "") } : {}),
    headers: toHeaders(request),
    ...(Object.keys(query).length > 0 ? { queryStringParameters: query } : {}),
    requestContext: toContext(routed, rawPath),
    ...(Object.keys(pathParameters).length > 0 ? { pathParameters } : {}),
    ...toBody(routed.body, request.headers["content-type"]),
  };
}

function toContext(routed: RoutedRequest, path: string): APIGatewayProxyEventV2["requestContext"] {
  const { request, routeKey, accountId, apiId, requestId, timeEpochMs } = routed;
  const domainName = request.headers.host ?? "";
  return {
    accountId,
    apiId,
    domainName,
    domainPrefix: domainName.split(".")[0] ?? "",
    http: {
      method: request.method ?? "",
      path,
      protocol: `HTTP/${request.httpVersion}`,
      sourceIp: request.socket.remoteAddress ?? "",
      userAgent: request.headers["user-agent"] ?? "",
    },
    requestId,
    routeKey,
    stage: "$default",
    time: commonLogTime(timeEpochMs),
    timeEpoch: timeEpochMs,
  };
}

function toHeaders(request: IncomingMessage): Record<string, string> {
  const sent = Object.entries(request.headersDistinct).filter(([name]) => !OMITTED_HEADERS.has(name));
  const { remoteAddress = "", localPort } = request.socket;
  return {
    ...Object.fromEntries(sent.map(([name, values = []]) => [name, values.join(",")])),
    "x-forwarded-for": [...(request.headersDistinct["x-forwarded-for"] ?? []), remoteAddress].join(", "),
    "x-forwarded-port": String(localPort),
    "x-forwarded-proto": "http",
  };
}

function joinRepeated(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name).join(",")]));
}

/**
 * Bodies of these text types stay text. All others, such as forms and bodies without a type, are base64. So is text
 * that is not UTF-8, because JSON cannot carry it unchanged.
 */
function toBody(body: Buffer, contentType = ""): Pick<APIGatewayProxyEventV2, "body" | "isBase64Encoded"> {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText = /^\s*(text\/.*|application\/(json|javascript|xml))\s*(;.*)?$/i.test(contentType) && isUtf8(body);
  return { body: body.toString(isText ? "utf8" : "base64"), isBase64Encoded: !isText };
}

/** An instant in Common Log Format: `12/Mar/2020:19:03:58 +0000`. */
function commonLogTime(epochMs: number): string {
  const [, day, month, year, time] = new Date(epochMs).toUTCString().split(" ");
  return `${day}/${month}/${year}:${time} +0000`;
}
