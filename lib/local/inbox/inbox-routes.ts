import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readBody } from "../http-api/request-body.ts";
import { sendError } from "../http-api/send-error.ts";
import type { Inbox, InboxDelivery, InboxFilter } from "./inbox.ts";
import { sendPageFile } from "./send-page-file.ts";
import { streamInbox } from "./stream-inbox.ts";

/** Maximum size of a webhook body. A longer body gets a 413. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** Path that receives the webhooks of the inbox. */
export const INBOX_PATH = "/_local/inbox";
const DELIVERY_PATH = /^\/_local\/inbox\/deliveries\/(\d{1,15})$/;

/** Handles a request; returns false for a request that is not its own. */
export type InboxHandler = (request: IncomingMessage, response: ServerResponse, url: URL) => boolean | Promise<boolean>;

/**
 * The HTTP routes of the inbox. On `/_local/inbox`, `POST` receives a webhook (204), `GET` lists the deliveries
 * (`{deliveries}`) and `DELETE` clears them (204), both also of one `?event_type=`. `GET .../live` streams new deliveries,
 * `GET .../deliveries/{id}` returns one delivery, `GET .../page` is the page.
 */
export function inboxRoutes(inbox: Inbox): InboxHandler {
  return (request, response, { pathname, searchParams }) => {
    const route = `${request.method} ${pathname}`;
    if (route === `POST ${INBOX_PATH}`) return receive(inbox, request, response);
    if (route === `GET ${INBOX_PATH}`) return list(inbox, readFilter(searchParams), response);
    if (route === `DELETE ${INBOX_PATH}`) return clear(inbox, readFilter(searchParams), response);
    if (route === `GET ${INBOX_PATH}/live`) return live(inbox, response);
    if (request.method !== "GET") return false;
    const id = DELIVERY_PATH.exec(pathname)?.[1];
    return id === undefined ? sendPageFile(pathname, response) : showOne(inbox, Number(id), response);
  };
}

async function receive(inbox: Inbox, request: IncomingMessage, response: ServerResponse): Promise<true> {
  const body = await readBody(request, MAX_BODY_BYTES);
  if (!body) return sendError(response, { status: 413, code: "body_too_large", detail: "The webhook exceeds 2 MB." });
  inbox.receive({ headers: singleHeaders(request.headers), body: body.toString("utf8") });
  return sendNothing(response);
}

function readFilter(query: URLSearchParams): InboxFilter {
  const eventType = query.get("event_type");
  return eventType === null ? {} : { eventType };
}

async function list(inbox: Inbox, filter: InboxFilter, response: ServerResponse): Promise<true> {
  response.writeHead(200, { "content-type": "application/json" });
  await pipeline(Readable.from(jsonParts(inbox.deliveries(filter))), response).catch((error: NodeJS.ErrnoException) => {
    // The client closed the connection early and needs no response.
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

function clear(inbox: Inbox, filter: InboxFilter, response: ServerResponse): true {
  inbox.clear(filter);
  return sendNothing(response);
}

function live(inbox: Inbox, response: ServerResponse): true {
  streamInbox(inbox, response);
  return true;
}

function showOne(inbox: Inbox, id: number, response: ServerResponse): true {
  const delivery = inbox.find(id);
  return delivery
    ? sendJson(response, delivery)
    : sendError(response, { status: 404, code: "not_found", detail: "The inbox has no delivery with this id." });
}

function sendJson(response: ServerResponse, value: unknown): true {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
  return true;
}

function sendNothing(response: ServerResponse): true {
  response.writeHead(204).end();
  return true;
}

/** One value per header name. Repeated headers are joined (RFC 9110 section 5.3). */
function singleHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]);
  return Object.fromEntries(entries);
}
