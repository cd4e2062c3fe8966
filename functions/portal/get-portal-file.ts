import { readFile } from "node:fs/promises";
import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { webhookPortalFiles, webhookPortalHeaders } from "../../lib/services/webhooks/portal-files.ts";

export const contract = endpoint({
  operationId: "getPortalFile",
  method: "GET",
  path: "/v2/portal/{file}",
  tag: "portal",
  summary: "Retrieve a file of the webhook portal",
  description: [
    "Returns the page of the webhook portal, or one of its scripts and styles.",
    "`GET /v2/team/svix/url` creates the address to open; the files hold no data and need no key.",
  ],
  auth: "none",
  params: z.object({ file: z.enum(webhookPortalFiles) }),
  query: noFields,
  response: z.string().meta({ description: "Page, script or style", mediaType: "*/*" }),
  access: [],
});

export const handler = implement(contract, async ({ params: { file } }) => {
  const text = await readFile(new URL(file, import.meta.url), "utf8");
  return new Answer(text, { headers: webhookPortalHeaders(file) });
});
