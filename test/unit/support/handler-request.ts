import type { APIGatewayProxyEventV2, Context } from "aws-lambda";

/** The variable parts of a request. */
export interface RequestParts {
  readonly method: string;
  readonly apiKey: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An API Gateway request event (payload format 2.0). */
export function requestEvent({ method, apiKey, path, query, body }: RequestParts): APIGatewayProxyEventV2 {
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath: "/",
    rawQueryString: new URLSearchParams(query).toString(),
    headers: { "x-service-api-key": apiKey, "content-type": "application/json" },
    pathParameters: { ...path },
    isBase64Encoded: false,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    requestContext: {
      accountId: "000000000000",
      apiId: "test",
      domainName: "test.invalid",
      domainPrefix: "test",
      http: { method, path: "/", protocol: "HTTP/1.1", sourceIp: "127.0.0.1", userAgent: "test" },
      requestId: "request",
      routeKey: "$default",
      stage: "$default",
      time: "01/Jan/2026:00:00:00 +0000",
      timeEpoch: 0,
    },
  };
}

/**
 * The Lambda context of an invocation. It omits the remaining time, so a call that waits for its turn never runs into a
 * timeout of the real clock.
 */
export const invocation = { functionName: "test", awsRequestId: "invocation" } as Context;
