import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { Answer } from "../../lib/runtime/answer.ts";
import { RouteNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Answers what no route takes: 308 to the same path without a slash at its end, else 404 in the one error shape. */
export const contract = endpoint({
  operationId: "refuseUnknownRoute",
  method: "ANY",
  path: "/$default",
  tag: "service",
  summary: "Answer requests that match no route",
  auth: "none",
  params: nothing,
  query: nothing,
  response: z.never(),
  errors: [RouteNotFound],
  access: [],
});

/** The text with what can not stand in a header percent-encoded; a path may come with any bytes. */
const inHeader = (text: string) => text.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent);

export const handler = implement(contract, async ({ event }) => {
  const { rawPath, rawQueryString } = event;
  const isInside = !rawPath.startsWith("//") && !rawPath.includes("\\");
  if (rawPath.length > 1 && rawPath.endsWith("/") && isInside) {
    const location = rawPath.replace(/\/+$/, "") + (rawQueryString ? `?${rawQueryString}` : "");
    return new Answer("", { status: 308, headers: { location: inHeader(location) } });
  }
  throw new RouteNotFound("There is no such route. /openapi.json lists all of them.");
});
