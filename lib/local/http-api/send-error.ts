import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";

/** An error response of a route below /_local/. */
interface LocalError {
  readonly status: number;
  /** A code of docs/errors.md. */
  readonly code: string;
  readonly detail: unknown;
}

/** Sends an error in the format of the API. @returns true, as a handler that answered. */
export function sendError(response: ServerResponse, { status, code, detail }: LocalError): true {
  const body = JSON.stringify({ detail, code, request_id: randomUUID() });
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(body);
  return true;
}
