import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { type Receipt, wireAcceptance, wireReceipt } from "../../domain/receipt.ts";
import { InputError } from "./input-error.ts";
import type { IngestBody } from "./request-builder.ts";

/** Where to import to. */
export interface Target {
  /** Address of the service, without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly userId: string;
}

/** What the route answered: the receipt to ask for, null when nothing was taken, and the reasons of what was not. */
export interface Acceptance {
  readonly receiptId: string | null;
  readonly rejected: readonly string[];
  /** Fields without which records were taken, each with its resource and reason. */
  readonly dropped: readonly string[];
}

interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

const ATTEMPTS = 8;
/** Few, so that a wrong address is told at once. */
const ATTEMPTS_OF_CHECK = 3;
const REQUEST_TIMEOUT_MS = 60_000;
const LONGEST_PAUSE_MS = 30_000;

const refusedRecords = z.object({
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), type: z.string() })),
});

/** Sends to the ingestion route of the service and reads receipts; tries again what may succeed later. */
export class IngestClient {
  readonly #target: Target;
  readonly #firstPauseMs: number;

  /** @param firstPauseMs pause before the second attempt; each further one is twice as long. */
  constructor(target: Target, firstPauseMs = 250) {
    this.#target = target;
    this.#firstPauseMs = firstPauseMs;
  }

  /** Asks for the user, before any work is done. @throws InputError when address, key or user are wrong. */
  async check(): Promise<void> {
    const answer = await this.#request("/v2/user/{user_id}", { method: "GET" }, ATTEMPTS_OF_CHECK);
    if (answer.status !== 200) throw this.#refusal(answer);
  }

  /** @throws InputError when the service refuses the request as a whole, or does not answer. */
  async send({ json, records }: IngestBody): Promise<Acceptance> {
    const answer = await this.#request("/v2/ingest/{user_id}", { method: "POST", body: json });
    const acceptance = answer.status === 202 ? wireAcceptance.safeParse(parseJson(answer.text)).data : undefined;
    if (acceptance) {
      const whole = acceptance.rejected.filter(({ field }) => field === undefined);
      const dropped = acceptance.rejected.filter(({ field }) => field !== undefined);
      return {
        receiptId: acceptance.receipt_id,
        rejected: whole.map(({ reason }) => reason),
        dropped: dropped.map(({ resource, field, reason }) => `${resource}.${field}: ${reason}`),
      };
    }
    const reasons = answer.status === 422 ? reasonsOfRefusal(answer.text) : [];
    if (reasons.length === 0) throw this.#refusal(answer);
    // Where it takes none of the records, the service names the first hundred only.
    const unnamed = Array<string>(records - reasons.length).fill("reason not named");
    return { receiptId: null, rejected: [...reasons, ...unnamed], dropped: [] };
  }

  /** The present state of a receipt. @throws InputError as {@link send}. */
  async receipt(receiptId: string): Promise<Receipt> {
    const answer = await this.#request(`/v2/ingest/{user_id}/${encodeURIComponent(receiptId)}`, { method: "GET" });
    const receipt = answer.status === 200 ? wireReceipt.safeParse(parseJson(answer.text)).data : undefined;
    if (!receipt) throw this.#refusal(answer);
    return receipt;
  }

  async #request(path: string, init: RequestInit, attempts = ATTEMPTS): Promise<HttpAnswer> {
    const { baseUrl, apiKey, userId } = this.#target;
    const url = baseUrl + path.replace("{user_id}", encodeURIComponent(userId));
    const headers = { "x-service-api-key": apiKey, "content-type": "application/json" };
    let problem = "";
    for (let attempt = 1; attempt <= attempts; attempt++) {
      let askedMs: number | undefined;
      // Not AbortSignal.timeout: its timer would hold the body of every request for the whole minute.
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(new Error("no answer")), REQUEST_TIMEOUT_MS);
      try {
        const response = await fetch(url, { ...init, headers, signal: timeout.signal });
        const text = await response.text();
        if (response.status !== 429 && response.status < 500) return { status: response.status, text };
        problem = `it answers ${response.status}`;
        askedMs = retryAfterMs(response);
      } catch (error) {
        problem = reasonOf(error);
      } finally {
        clearTimeout(timer);
      }
      const pauseMs = askedMs ?? this.#firstPauseMs * 2 ** (attempt - 1);
      if (attempt < attempts) await sleep(Math.min(pauseMs, LONGEST_PAUSE_MS));
    }
    throw new InputError(`The service at ${baseUrl} does not take requests: ${problem}.`);
  }

  #refusal({ status, text }: HttpAnswer): InputError {
    const { baseUrl, userId } = this.#target;
    if (status === 401 || status === 403)
      return new InputError(`The service at ${baseUrl} does not accept the API key.`);
    if (status === 404) return new InputError(`There is no user ${userId} at ${baseUrl}.`);
    if (status === 422 && text.includes("user_id")) return new InputError(`${userId} is not a user id.`);
    return new InputError(
      `The service at ${baseUrl} answers what this command does not understand: ${status} ${text.slice(0, 200).replaceAll(/\s+/g, " ")}`,
    );
  }
}

/** The pause that the service asks for, undefined where it gives no number of seconds (RFC 9110, 10.2.3). */
function retryAfterMs({ headers }: Response): number | undefined {
  const seconds = Number.parseFloat(headers.get("retry-after") ?? "");
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

/** Reasons of a 422 that is about the records; none when it is about something else. */
function reasonsOfRefusal(text: string): string[] {
  const detail = refusedRecords.safeParse(parseJson(text)).data?.detail ?? [];
  return detail.filter(({ loc }) => loc[1] === "resources" && loc.length === 4).map(({ type }) => type);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Why a request got no answer; fetch hides it in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error) return "code" in cause ? String(cause.code) : cause.message;
  return String(cause);
}
