import type { IncomingMessage, ServerResponse } from "node:http";
import { sendError } from "../http-api/send-error.ts";
import type { TraceLog } from "./trace-log.ts";
import { renderTrace, renderTraceList } from "./trace-page.ts";

const MAX_LISTED = 100;
const TRACE_PATH = /^\/_local\/traces\/([\w.=-]{1,100})$/;

/**
 * The routes of traces. `GET /_local/traces` lists the newest ones, `GET /_local/traces/{id}` returns the one with this
 * trace, request or message id, and `GET /_local/traces/page` shows them (`?id=` for one). The handler returns false
 * for any other request.
 */
export function traceRoutes(traces: TraceLog) {
  return ({ method }: IncomingMessage, response: ServerResponse, { pathname, searchParams }: URL): boolean => {
    if (method !== "GET") return false;
    if (pathname === "/_local/traces") return sendJson(response, { traces: traces.list(MAX_LISTED) });
    if (pathname === "/_local/traces/page") return sendPage(response, traces, searchParams.get("id"));
    const id = TRACE_PATH.exec(pathname)?.[1];
    if (id === undefined) return false;
    const trace = traces.find(id);
    if (trace) return sendJson(response, trace);
    return sendError(response, { status: 404, code: "not_found", detail: "No trace has this id." });
  };
}

function sendPage(response: ServerResponse, traces: TraceLog, id: string | null): true {
  const trace = id === null ? undefined : traces.find(id);
  response.writeHead(id === null || trace ? 200 : 404, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  response.end(trace ? renderTrace(trace) : renderTraceList(traces.list(MAX_LISTED)));
  return true;
}

function sendJson(response: ServerResponse, value: unknown): true {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
  return true;
}
