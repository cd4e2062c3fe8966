import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { wireIngestAcceptance, wireIngestReceipt } from "../../../domain/ingest/receipt.ts";
import { rejectionRecord } from "../../../domain/ingest/rejection.ts";
import { parseJson } from "../../../domain/shared/json.ts";
import { InputError } from "../reading/input-error.ts";
import type { IngestBody } from "./request-builder.ts";

/** The service and user to import to. */
export interface ImportTarget {
  /** URL of the service without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly userId: string;
}

/** A record that the service refused, without its values. */
export interface RefusedRecord {
  readonly reason: string;
  /** The record in its request, such as `heartrate[3]`. */
  readonly record: string;
  /** The record and its field, for people. */
  readonly place: string;
  /** What the service expects there. */
  readonly detail: string;
}

/** The result of an ingestion request: its receipt, null if no record was accepted, and the refused records. */
export interface IngestResult {
  readonly receiptId: string | null;
  readonly rejected: readonly RefusedRecord[];
  /** Refused records that the response does not list. */
  readonly unlisted: number;
  /** Dropped fields of accepted records, each with its resource and reason. */
  readonly dropped: readonly string[];
}

const validationErrorResponse = z.object({
  detail: z.array(
    z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string().default(""), type: z.string() }),
  ),
});

/** A receipt, with all records that the service refused at once or when it stored the batch. */
export type ReceiptAnswer = Omit<z.output<typeof receiptResponse>, "rejected"> & {
  readonly rejected: readonly RefusedRecord[];
};

interface HttpResponse {
  readonly status: number;
  readonly text: string;
}

const MAX_ATTEMPTS = 8;
/** Few attempts, so that a wrong URL fails quickly. */
const MAX_CHECK_ATTEMPTS = 3;
const REQUEST_TIMEOUT_MS = 60_000;
const MAX_RETRY_DELAY_MS = 30_000;

/** Responses of this and of earlier versions, whose rejections had no words. */
const acceptanceResponse = wireIngestAcceptance.extend({ rejected: z.array(rejectionRecord) });
const receiptResponse = wireIngestReceipt.extend({ rejected: z.array(rejectionRecord) });

/** Client of the service's ingestion API; retries 429 and 5xx responses and network errors. */
export class IngestClient {
  readonly #target: ImportTarget;
  readonly #firstPauseMs: number;

  /** @param firstPauseMs delay before the second attempt; doubles with each further attempt. */
  constructor(target: ImportTarget, firstPauseMs = 250) {
    this.#target = target;
    this.#firstPauseMs = firstPauseMs;
  }

  /** Fetches the user to check the target before the import. @throws InputError for a wrong URL, key or user. */
  async check(): Promise<void> {
    const answer = await this.#request("/v2/user/{user_id}", { method: "GET" }, MAX_CHECK_ATTEMPTS);
    if (answer.status !== 200) throw this.#refusal(answer);
  }

  /** Sends records. @throws InputError if the service rejects the whole request or does not respond. */
  async send({ json, records }: Pick<IngestBody, "json" | "records">): Promise<IngestResult> {
    const answer = await this.#request("/v2/ingest/{user_id}", { method: "POST", body: json });
    const acceptance = answer.status === 202 ? acceptanceResponse.safeParse(parseJson(answer.text)).data : undefined;
    if (acceptance) {
      const dropped = acceptance.rejected.filter(({ effect }) => effect === "field_dropped");
      return {
        receiptId: acceptance.receipt_id,
        rejected: toRefused(acceptance.rejected),
        unlisted: 0,
        dropped: dropped.map(({ resource, field, reason }) => `${resource}.${field}: ${reason}`),
      };
    }
    const rejected = answer.status === 422 ? readRefusedRecords(answer.text) : [];
    if (rejected.length === 0) throw this.#refusal(answer);
    // If the service rejects all records, it lists the first hundred only.
    return { receiptId: null, rejected, unlisted: records - rejected.length, dropped: [] };
  }

  /** Fetches a receipt. @throws InputError as {@link send}. */
  async receipt(receiptId: string): Promise<ReceiptAnswer> {
    const answer = await this.#request(`/v2/ingest/{user_id}/${encodeURIComponent(receiptId)}`, { method: "GET" });
    const receipt = answer.status === 200 ? receiptResponse.safeParse(parseJson(answer.text)).data : undefined;
    if (!receipt) throw this.#refusal(answer);
    return { ...receipt, rejected: toRefused(receipt.rejected) };
  }

  async #request(path: string, init: RequestInit, attempts = MAX_ATTEMPTS): Promise<HttpResponse> {
    const { baseUrl, apiKey, userId } = this.#target;
    const url = baseUrl + path.replace("{user_id}", encodeURIComponent(userId));
    const headers = { "x-service-api-key": apiKey, "content-type": "application/json" };
    let problem = "";
    for (let attempt = 1; attempt <= attempts; attempt++) {
      let askedMs: number | undefined;
      // AbortSignal.timeout would retain the body of every request for the whole minute.
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(new Error("no response")), REQUEST_TIMEOUT_MS);
      try {
        const response = await fetch(url, { ...init, headers, signal: timeout.signal });
        const text = await response.text();
        if (response.status !== 429 && response.status < 500) return { status: response.status, text };
        problem = `it responds with ${response.status}`;
        askedMs = parseRetryAfterMs(response);
      } catch (error) {
        problem = failureReason(error);
      } finally {
        clearTimeout(timer);
      }
      const pauseMs = askedMs ?? this.#firstPauseMs * 2 ** (attempt - 1);
      if (attempt < attempts) await sleep(Math.min(pauseMs, MAX_RETRY_DELAY_MS));
    }
    throw new InputError(`The service at ${baseUrl} does not accept requests: ${problem}.`);
  }

  #refusal({ status, text }: HttpResponse): InputError {
    const { baseUrl, userId } = this.#target;
    if (status === 401 || status === 403)
      return new InputError(`The service at ${baseUrl} does not accept the API key.`);
    if (status === 404) return new InputError(`There is no user ${userId} at ${baseUrl}.`);
    if (status === 422 && text.includes("user_id")) return new InputError(`${userId} is not a user id.`);
    return new InputError(
      `The service at ${baseUrl} sent an unexpected response: ${status} ${text.slice(0, 200).replaceAll(/\s+/g, " ")}`,
    );
  }
}

/** Parses `Retry-After` in seconds (RFC 9110, section 10.2.3); undefined for any other value. */
function parseRetryAfterMs({ headers }: Response): number | undefined {
  const seconds = Number.parseFloat(headers.get("retry-after") ?? "");
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

/** Names the place of a record in its request. @param index position among the records of the resource, from 0. */
function toPlace(resource: string, index: string | number, field: string | null) {
  const record = `${resource}[${index}]`;
  return { record, place: field === null ? record : `${record}, field ${field}` };
}

const toRefused = (rejections: readonly z.output<typeof rejectionRecord>[]): RefusedRecord[] =>
  rejections
    .filter(({ effect }) => effect === "record_rejected")
    .map(({ resource, index, field, reason, detail = "" }) => {
      return { reason, detail, ...toPlace(resource, index, field) };
    });

/** The refused records of a 422 response about records; empty for any other 422. */
function readRefusedRecords(text: string): RefusedRecord[] {
  const locations = validationErrorResponse.safeParse(parseJson(text)).data?.detail ?? [];
  return locations.flatMap(({ loc: [, part, resource, index, ...path], msg, type }) =>
    part === "resources" && index !== undefined
      ? [{ reason: type, detail: msg, ...toPlace(String(resource), index, path.join(".") || null) }]
      : [],
  );
}

/** The reason of a failed request, which fetch reports as cause. */
function failureReason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error) return "code" in cause ? String(cause.code) : cause.message;
  return String(cause);
}
