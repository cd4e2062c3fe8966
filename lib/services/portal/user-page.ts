import { createHash } from "node:crypto";
import type { PatientView } from "../../domain/orders/patient-view.ts";
import { Answer } from "../../runtime/http/answer.ts";
import { Html } from "./html.ts";

const STYLE = [
  "body{max-width:40rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#1b1f22;background:#fff}",
  "h1{font-size:1.5rem}h2{margin:0;font-size:1.1rem}section{margin:1rem 0;padding:1rem;border:1px solid #8a949b}",
  "section:target{border:2px solid #0b3f46}dl{margin:.5rem 0 0}dt{color:#454c52}dd{margin:0 0 .5rem}",
].join("");

/** Allows the page's own style only: no scripts, no forms, no outside requests. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
};

function renderPage(title: string, body: Html, status = 200): Answer {
  const page = Html.of`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${Html.trusted(STYLE)}</style></head>
<body><main><h1>${title}</h1>
${body}
</main></body></html>
`;
  return new Answer(page.text, { status, headers });
}

/** Input of a user's page. */
export interface UserPage {
  readonly teamName: string;
  readonly isSandbox: boolean;
  /** Newest first. */
  readonly orders: readonly PatientView[];
}

/** Renders the page of a user with the status of their orders. */
export function renderUserPage({ teamName, isSandbox, orders }: UserPage): Answer {
  const sandbox = isSandbox ? [Html.of`<p>This is a sandbox: orders and results are made up.</p>`] : [];
  const none = orders.length === 0 ? [Html.of`<p>There are no orders yet.</p>`] : [];
  return renderPage(`Your orders with ${teamName}`, Html.of`${sandbox}${none}${orders.map(renderOrder)}`);
}

/** Renders the page of an expired or unknown link. */
export const renderInvalidLink = (): Answer =>
  renderPage("This link is no longer valid", Html.of`<p>Ask the sender for a new link.</p>`, 404);

function renderOrder({ id, title, orderedOn, status, expectedBy, result }: PatientView): Html {
  const facts = [
    ["Ordered", orderedOn],
    ["Status", status],
    ["Result expected by", expectedBy],
    ["Result", result],
  ];
  const shown = facts.flatMap(([name, value]) => (name && value ? [Html.of`<dt>${name}</dt><dd>${value}</dd>`] : []));
  return Html.of`<section id="order-${id}"><h2>${title}</h2><dl>${shown}</dl></section>
`;
}
