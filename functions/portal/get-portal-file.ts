import { readFile } from "node:fs/promises";
import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { Answer } from "../../lib/runtime/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { portalFiles, portalHeaders } from "../../lib/runtime/portal-page.ts";

/** Returns a static file of the webhook portal, which the build puts beside this function. */
export const contract = endpoint({
  operationId: "getPortalFile",
  method: "GET",
  path: "/v2/portal/{file}",
  tag: "portal",
  summary: "Retrieve a file of the webhook portal",
  auth: "none",
  params: z.object({ file: z.enum(portalFiles) }),
  query: nothing,
  response: z.string(),
  access: [],
});

export const handler = implement(contract, async ({ params: { file } }) => {
  const text = await readFile(new URL(file, import.meta.url), "utf8");
  return new Answer(text, { headers: portalHeaders(file) });
});
