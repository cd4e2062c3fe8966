import type { APIGatewayProxyEventV2, Context } from "aws-lambda";

interface Sent {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** An API Gateway request event. A binary body is base64-encoded. */
export function requestEvent({ path = {}, query = "", headers = {}, body }: Sent): APIGatewayProxyEventV2 {
  const http = { method: "POST", path: "/", protocol: "HTTP/1.1", sourceIp: "192.0.2.1", userAgent: "test" };
  return {
    version: "2.0",
    routeKey: "POST /",
    rawPath: "/",
    rawQueryString: query,
    headers,
    pathParameters: path,
    requestContext: {
      accountId: "1",
      apiId: "api",
      domainName: "localhost",
      domainPrefix: "localhost",
      http,
      requestId: "request-1",
      routeKey: "POST /",
      stage: "$default",
      time: "",
      timeEpoch: 0,
    },
    isBase64Encoded: body instanceof Buffer,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : body.toString("base64") }),
  };
}

/** The Lambda context of an invocation. */
export const context: Context = {
  awsRequestId: "invocation-1",
  callbackWaitsForEmptyEventLoop: false,
  functionName: "test",
  functionVersion: "1",
  invokedFunctionArn: "arn:aws:lambda:us-east-1:000000000000:function:test",
  memoryLimitInMB: "512",
  logGroupName: "test",
  logStreamName: "test",
  getRemainingTimeInMillis: () => 10_000,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
};
