import * as z from "zod";
import { AGENT_PATH } from "../../lib/contract/agent-tool.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { MethodNotAllowed, RouteNotFound } from "../../lib/runtime/errors.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "refuseUnknownRoute",
  method: "ANY",
  path: "/$default",
  tag: "service",
  summary: "Answer requests without a route",
  description: [
    "Answers every request that no route matches with `route_not_found`.",
    "A path that ends with a slash gets a 308 to the path without it.",
    "`/mcp` takes only POST and answers `method_not_allowed` otherwise, as its protocol says.",
  ],
  auth: "none",
  params: noFields,
  query: noFields,
  response: z.never(),
  errors: [RouteNotFound, MethodNotAllowed],
  access: [],
});

/** Percent-encodes characters that a header cannot contain, because a path may contain any bytes. */
const encodeForHeader = (text: string) => text.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent);

export const handler = implement(contract, async ({ event }) => {
  const { rawPath, rawQueryString } = event;
  const isInside = !rawPath.startsWith("//") && !rawPath.includes("\\");
  if (rawPath.length > 1 && rawPath.endsWith("/") && isInside) {
    const location = rawPath.replace(/\/+$/, "") + (rawQueryString ? `?${rawQueryString}` : "");
    return new Answer("", { status: 308, headers: { location: encodeForHeader(location) } });
  }
  if (rawPath === AGENT_PATH && event.requestContext.http.method !== "POST") {
    throw new MethodNotAllowed("This endpoint keeps no streams and sessions. Send a POST.", {
      headers: { allow: "POST" },
    });
  }
  throw new RouteNotFound("No route matches this method and path. /openapi.json lists all routes.");
});
