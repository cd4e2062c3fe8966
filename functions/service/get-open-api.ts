import { readFile } from "node:fs/promises";
import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getOpenApi",
  method: "GET",
  path: "/openapi.json",
  tag: "service",
  summary: "Retrieve the OpenAPI document",
  description: [
    "Returns this document: every route, schema, error code and webhook of the API.",
    "It describes the version that this deployment runs, and needs no key.",
  ],
  auth: "none",
  params: noFields,
  query: noFields,
  response: z.looseObject({ openapi: z.string() }),
  access: [],
});

let text: string | undefined;

export const handler = implement(contract, async () => {
  text ??= await readFile(new URL("openapi.json", import.meta.url), "utf8");
  return new Answer(text);
});
