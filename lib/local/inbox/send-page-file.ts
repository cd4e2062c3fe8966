import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";

const WEB_DIRECTORY = new URL("../../../web/", import.meta.url);

/** Allows only the page's own files. A malicious body that bypasses text-only rendering cannot load or send data. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const HTML = "text/html; charset=utf-8";
const CSS = "text/css; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

const files = new Map([
  ["/_local/inbox/page", { name: "inbox/inbox.html", type: HTML }],
  ["/_local/inbox/page.css", { name: "page.css", type: CSS }],
  ["/_local/inbox/inbox.css", { name: "inbox/inbox.css", type: CSS }],
  ["/_local/inbox/inbox-row.css", { name: "inbox/inbox-row.css", type: CSS }],
  ["/_local/inbox/inbox.js", { name: "inbox/inbox.js", type: SCRIPT }],
  ["/_local/inbox/inbox-row.js", { name: "inbox/inbox-row.js", type: SCRIPT }],
]);

/** Sends a file of the inbox page. @returns false when `path` is not such a file. */
export async function sendPageFile(path: string, response: ServerResponse): Promise<boolean> {
  const file = files.get(path);
  if (!file) return false;
  const content = await readFile(new URL(file.name, WEB_DIRECTORY));
  response.writeHead(200, {
    "content-type": file.type,
    "content-length": content.length,
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  });
  response.end(content);
  return true;
}
