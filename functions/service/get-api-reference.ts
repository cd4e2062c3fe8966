import { readFile } from "node:fs/promises";
import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { compressedAsset } from "../../lib/runtime/http/compressed-asset.ts";
import {
  findAsset,
  REFERENCE_PAGE,
  referenceAssetHeaders,
  referencePageHeaders,
  storedFile,
} from "../../lib/runtime/http/reference-page.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getApiReference",
  method: "GET",
  path: "/docs/{file}",
  aliases: ["/docs"],
  tag: "service",
  summary: "Retrieve the API reference",
  description: [
    "Returns a page for browsers that shows this document: search, code samples, and requests with your own key.",
    "The page loads its files from `/docs/{file}` and nothing from another host.",
    "A key that you type into the page stays in the memory of its tab.",
  ],
  auth: "none",
  params: z.object({ file: z.string().max(100).optional().meta({ description: "A file that the page names" }) }),
  query: noFields,
  response: z.string().meta({ description: "HTML page", mediaType: "text/html" }),
  errors: [NotFound],
  access: [],
});

const read = (file: string) => readFile(new URL(file, import.meta.url));
let page: string | undefined;

export const handler = implement(contract, async ({ params: { file }, event }) => {
  page ??= (await read(REFERENCE_PAGE)).toString();
  if (file === undefined) return new Answer(page, { headers: referencePageHeaders() });
  const asset = findAsset(page, file);
  if (!asset) throw new NotFound("The page has no file with this name.");
  const stored = storedFile(asset);
  const content = await read(stored);
  const headers = referenceAssetHeaders(asset);
  if (stored === asset) return new Answer(content.toString(), { headers });
  return compressedAsset(content, event.headers["accept-encoding"], headers);
});
