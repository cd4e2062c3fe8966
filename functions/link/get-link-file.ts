import { readFile } from "node:fs/promises";
import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { linkPageFiles, linkPageHeaders } from "../../lib/services/connections/link/link-page.ts";

export const contract = endpoint({
  operationId: "getLinkFile",
  method: "GET",
  path: "/v2/link/web/{file}",
  tag: "link",
  summary: "Retrieve a file of the link page",
  description: ["Returns a script or style of the link page.", "Only the page at `GET /v2/link/web` uses it."],
  auth: "none",
  params: z.object({ file: z.enum(linkPageFiles) }),
  query: noFields,
  response: z.string().meta({ description: "Page, script or style", mediaType: "*/*" }),
  access: [],
});

export const handler = implement(contract, async ({ params: { file } }) => {
  const text = await readFile(new URL(file, import.meta.url), "utf8");
  return new Answer(text, { headers: linkPageHeaders(file) });
});
