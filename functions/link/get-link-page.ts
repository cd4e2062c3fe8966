import { readFile } from "node:fs/promises";
import * as z from "zod";
import { getItem, updateItem } from "../../lib/contract/access.ts";
import { credentialParentAccess, endpoint } from "../../lib/contract/endpoint.ts";
import { linkTokens, usage } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { openLinkToken } from "../../lib/runtime/callers/authenticate-link.ts";
import { Unauthorized } from "../../lib/runtime/errors.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { linkPage, linkPageHeaders } from "../../lib/services/connections/link/link-page.ts";

export const contract = endpoint({
  operationId: "getLinkPage",
  method: "GET",
  path: "/v2/link/web",
  tag: "link",
  summary: "Retrieve the link page",
  description: [
    "Returns the page on which a user connects a provider, as in `link_web_url` of `POST /v2/link/token`.",
    "Send a browser there; your own code does not call it.",
    "The page is the same for all users, and its script reads the token from the address.",
    "An invalid, used or expired token gets the page with status 404, and a refused OAuth attempt with 400.",
    "After a connection without `redirect_url`, the user returns here, and the page shows the outcome.",
  ],
  auth: "none",
  params: noFields,
  query: z.object({
    token: z.string().optional().meta({ description: "A link token" }),
    error_type: z.string().optional().meta({ description: "Error type of a failed connection" }),
  }),
  response: z.string().meta({ description: "HTML page", mediaType: "text/html" }),
  access: [getItem(linkTokens), ...credentialParentAccess, updateItem(usage)],
});

/** 404 for an invalid or expired token; 400 for a refused attempt. */
async function pageStatus(
  { token, error_type }: { token?: string | undefined; error_type?: string | undefined },
  deps: Parameters<typeof openLinkToken>[1],
): Promise<number> {
  if (token === undefined) return error_type === "token_not_validated" ? 400 : 200;
  try {
    await openLinkToken(token, deps);
    return 200;
  } catch (error) {
    if (error instanceof Unauthorized) return 404;
    throw error;
  }
}

export const handler = implement(contract, async ({ query }, deps) => {
  const [text, status] = await Promise.all([
    readFile(new URL(linkPage, import.meta.url), "utf8"),
    pageStatus(query, deps),
  ]);
  return new Answer(text, { status, headers: { ...linkPageHeaders(linkPage), "cache-control": "no-store" } });
});
