import { readFile } from "node:fs/promises";
import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getAsyncApi",
  method: "GET",
  path: "/asyncapi.json",
  tag: "service",
  summary: "Retrieve the AsyncAPI document",
  description: [
    "Returns the AsyncAPI 3.1 document of all events: the type, headers and body of each webhook.",
    "It describes the version that this deployment runs, and needs no key.",
  ],
  auth: "none",
  params: noFields,
  query: noFields,
  response: z.looseObject({ asyncapi: z.string() }),
  access: [],
});

let text: string | undefined;

export const handler = implement(contract, async () => {
  text ??= await readFile(new URL("asyncapi.json", import.meta.url), "utf8");
  return new Answer(text);
});
