import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { RouteNotFound } from "../../lib/runtime/errors.ts";
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
  ],
  auth: "none",
  params: noFields,
  query: noFields,
  response: z.never(),
  errors: [RouteNotFound],
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
  throw new RouteNotFound("No route matches this method and path. /openapi.json lists all routes.");
});
