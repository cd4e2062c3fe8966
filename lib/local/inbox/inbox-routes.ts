import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readBody } from "../http-api/request-body.ts";
import type { Inbox, InboxDelivery } from "./inbox.ts";
import { streamInbox } from "./inbox-live.ts";
import { sendPageFile } from "./inbox-page.ts";

/** Longest body taken, in bytes; a longer one is answered 413. */
const MOST_BODY_BYTES = 2 * 1024 * 1024;

const INBOX = "/_local/inbox";
const ONE_DELIVERY = /^\/_local\/inbox\/deliveries\/(\d{1,15})$/;

/** Answers a request and says so, or leaves it alone and answers false. */
export type InboxRoutes = (request: IncomingMessage, response: ServerResponse, url: URL) => boolean | Promise<boolean>;

/**
 * The inbox over HTTP: `POST /_local/inbox` receives (204), `GET` lists (`{deliveries}`, `?event_type=`), `DELETE` clears
 * (204), `GET .../live` streams what arrives, `GET .../deliveries/{id}` is one of those, `GET .../page` is a page for it.
 */
export function inboxRoutes(inbox: Inbox): InboxRoutes {
  return (request, response, { pathname, searchParams }) => {
    const route = `${request.method} ${pathname}`;
    if (route === `POST ${INBOX}`) return receive(inbox, request, response);
    if (route === `GET ${INBOX}`) return list(inbox, searchParams.get("event_type"), response);
    if (route === `DELETE ${INBOX}`) return clear(inbox, response);
    if (route === `GET ${INBOX}/live`) return live(inbox, response);
    if (request.method !== "GET") return false;
    const id = ONE_DELIVERY.exec(pathname)?.[1];
    return id === undefined ? sendPageFile(pathname, response) : showOne(inbox, Number(id), response);
  };
}

async function receive(inbox: Inbox, request: IncomingMessage, response: ServerResponse): Promise<true> {
  const body = await readBody(request, MOST_BODY_BYTES);
  if (!body) return sendJson(response, 413, { message: "Request Entity Too Large" });
  inbox.receive({ headers: singleHeaders(request.headers), body: body.toString("utf8") });
  return sendNothing(response);
}

async function list(inbox: Inbox, eventType: string | null, response: ServerResponse): Promise<true> {
  response.writeHead(200, { "content-type": "application/json" });
  const deliveries = inbox.deliveries(eventType === null ? {} : { eventType });
  await pipeline(Readable.from(jsonParts(deliveries)), response).catch((error: NodeJS.ErrnoException) => {
    // A client that went away before the end needs no answer.
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
  return true;
}

function* jsonParts(deliveries: Iterable<InboxDelivery>): Generator<string> {
  let separator = "";
  yield '{"deliveries":[';
  for (const delivery of deliveries) {
    yield separator + JSON.stringify(delivery);
    separator = ",";
  }
  yield "]}";
}

function clear(inbox: Inbox, response: ServerResponse): true {
  inbox.clear();
  return sendNothing(response);
}

function live(inbox: Inbox, response: ServerResponse): true {
  streamInbox(inbox, response);
  return true;
}

function showOne(inbox: Inbox, id: number, response: ServerResponse): true {
  const delivery = inbox.find(id);
  return delivery
    ? sendJson(response, 200, delivery)
    : sendJson(response, 404, { message: "This delivery is not in the inbox (any more)." });
}

function sendJson(response: ServerResponse, status: number, value: unknown): true {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
  return true;
}

function sendNothing(response: ServerResponse): true {
  response.writeHead(204).end();
  return true;
}

/** One value per name; repeated ones are joined as RFC 9110 section 5.3 allows. */
function singleHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]);
  return Object.fromEntries(entries);
}
