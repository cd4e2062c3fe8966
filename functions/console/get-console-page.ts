import { readFile } from "node:fs/promises";
import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { compressedAsset } from "../../lib/runtime/http/compressed-asset.ts";
import {
  assetNameOf,
  CONSOLE_PAGE,
  consoleAssetHeaders,
  consolePageHeaders,
  findConsoleAsset,
  storedConsoleAsset,
} from "../../lib/runtime/http/console-page.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getConsolePage",
  method: "GET",
  path: "/console/{place+}",
  aliases: ["/console"],
  tag: "console",
  summary: "Retrieve the page of the console",
  description: [
    "Returns the one page of the console at every address below `/console` that no other route has.",
    "Its script shows the view that the address names, and loads everything from this service.",
    "The page and its files below `assets/` hold no data, and need no session.",
  ],
  auth: "none",
  params: z.object({ place: z.string().max(1_000).optional().meta({ description: "A view, or a file of the page" }) }),
  query: noFields,
  response: z.string().meta({ description: "HTML page", mediaType: "text/html" }),
  errors: [NotFound],
  access: [],
});

const read = (file: string) => readFile(new URL(file, import.meta.url));
let page: string | undefined;

export const handler = implement(contract, async ({ params: { place = "" }, event }) => {
  page ??= (await read(CONSOLE_PAGE)).toString();
  const name = assetNameOf(place);
  if (name === undefined) return new Answer(page, { headers: consolePageHeaders() });
  const asset = findConsoleAsset(page, name);
  if (!asset) throw new NotFound("The page has no file with this name.");
  const content = await read(storedConsoleAsset(asset));
  return compressedAsset(content, event.headers["accept-encoding"], consoleAssetHeaders(asset));
});
