import type { APIGatewayProxyEventV2 } from "aws-lambda";

/** The parts of a request. */
interface RequestParts {
  readonly method: string;
  /** Path of the route, with the names of its parameters. */
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly rawQueryString: string;
  readonly body: Buffer;
  readonly type: string;
  /** Headers, in lower case. The cookie is one of them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Id of the request. */
  readonly id: string;
}

/** Assembles a request as a function receives it from API Gateway. */
export function assembleEvent(parts: RequestParts): APIGatewayProxyEventV2 {
  const { method, path, pathParameters, rawQueryString, body, type, id } = parts;
  const rawPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathParameters[name] ?? "");
  const isText = /json|text/.test(type) && body.equals(Buffer.from(body.toString("utf8")));
  const { cookie, ...headers } = parts.headers;
  return {
    version: "2.0",
    routeKey: `${method} ${path}`,
    rawPath,
    rawQueryString,
    ...(cookie === undefined ? {} : { cookies: [cookie] }),
    headers: { host: "127.0.0.1", ...(type ? { "content-type": type } : {}), ...headers },
    pathParameters,
    requestContext: contextOf(method, rawPath, id),
    ...(body.length > 0 ? { body: body.toString(isText ? "utf8" : "base64") } : {}),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

function contextOf(method: string, path: string, requestId: string): APIGatewayProxyEventV2["requestContext"] {
  const http = { method, path, protocol: "HTTP/1.1", sourceIp: "127.0.0.1", userAgent: "fuzz" };
  const of = { accountId: "0", apiId: "main", domainName: "127.0.0.1", domainPrefix: "127", stage: "$default" };
  return { ...of, http, requestId, routeKey: "", time: "", timeEpoch: 0 };
}
