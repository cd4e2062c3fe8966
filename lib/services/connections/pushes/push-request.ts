import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { Answer } from "../../../runtime/http/answer.ts";

/** Converts the raw request of a provider. Keeps the body unparsed, since signatures cover it. */
export function toPushRequest<M extends string>({ headers, rawQueryString, body, isBase64Encoded }: Event, method: M) {
  const text = Buffer.from(body ?? "", isBase64Encoded ? "base64" : "utf8").toString("utf8");
  return { method, headers, query: new URLSearchParams(rawQueryString), body: text };
}

type Event = Pick<APIGatewayProxyEventV2, "headers" | "rawQueryString" | "body" | "isBase64Encoded">;

/** The response to a provider. */
export function toPushAnswer({ status, body }: { readonly status: number; readonly body?: object }): Answer {
  return new Answer(body === undefined ? "" : JSON.stringify(body), { status });
}
