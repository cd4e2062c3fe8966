import * as z from "zod";
import { createHeartRates } from "../local/service/ingest/ingest-batch.ts";
import { orderRequest } from "../local/service/orders/order-helpers.ts";
import type { LocalJson } from "../local/service/platform/local-run/started-process.ts";

/** A write request and its response. Without a response, the outcome is unknown. */
export interface JournalEntry {
  readonly kind: "user" | "batch" | "order";
  /** The client's name of the resource. */
  readonly name: string;
  readonly userId?: string;
  /** Id of the user, the receipt or the order; absent without a response. */
  readonly id?: string;
}

/** A response with its parsed body. */
interface JsonResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a drill looks into bodies of every shape
  readonly body: any;
}

const created = z.object({ user_id: z.string() });
const taken = z.object({ receipt_id: z.string() });
const placed = z.object({ order: z.object({ id: z.string() }) });

/** Heart rate samples of a batch, derived from the batch's position in its client's journal. */
export const batchHeartRates = (place: number) =>
  createHeartRates(new Date(Date.UTC(2026, 0, 1, 0, place)).toISOString(), 3);

/** Sends a request with the first team's key. @throws if no response arrives. */
export async function sendRequest(local: LocalJson, method: string, path: string, sent?: object, key?: string) {
  const headers = {
    "x-service-api-key": local.api_key,
    "content-type": "application/json",
    ...(key === undefined ? {} : { "x-idempotency-key": key }),
  };
  const body = sent === undefined ? {} : { body: JSON.stringify(sent) };
  const response = await fetch(`${local.base_url}${path}`, { method, headers, ...body });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined } satisfies JsonResponse;
}

/** A client that sends one write after the other and keeps a journal of the responses. */
export class KillClient {
  readonly journal: JournalEntry[] = [];
  readonly name: string;
  readonly #local: LocalJson;

  constructor(local: LocalJson, name: string) {
    this.#local = local;
    this.name = name;
  }

  /** Repeats a user with its batches and orders until a request gets no response. */
  async writeUntilUnanswered(): Promise<void> {
    for (let user = 0; ; user++) {
      const userId = await this.#user(`${this.name}-${user}`);
      if (userId === undefined) return;
      for (const kind of ["batch", "batch", "order", "batch"] as const) {
        if (!(await this.#one(kind, userId))) return;
      }
    }
  }

  async #user(name: string): Promise<string | undefined> {
    const answer = await this.#answered("POST", "/v2/user", { client_user_id: name });
    if (!answer) return void this.journal.push({ kind: "user", name });
    const { user_id } = created.parse(answer);
    this.journal.push({ kind: "user", name, id: user_id });
    return user_id;
  }

  /** @returns whether a response arrived. */
  async #one(kind: "batch" | "order", userId: string): Promise<boolean> {
    const place = this.journal.length;
    const written = { kind, name: kind === "order" ? `${this.name}-${place}` : String(place), userId };
    const answer = await (kind === "order" ? this.placeOrder(written) : this.#batch(userId, place));
    if (answer === undefined) {
      this.journal.push(written);
      return false;
    }
    const id = kind === "order" ? placed.parse(answer).order.id : taken.parse(answer).receipt_id;
    this.journal.push({ ...written, id });
    return true;
  }

  #batch(userId: string, place: number): Promise<unknown> {
    const body = { provider: "oura", source_type: "ring", resources: { heartrate: batchHeartRates(place) } };
    return this.#answered("POST", `/v2/ingest/${userId}`, body);
  }

  /** Places an order. The name is the idempotency key, so a repeated request returns the same order. */
  placeOrder({ name, userId = "" }: Pick<JournalEntry, "name" | "userId">): Promise<unknown> {
    return this.#answered("POST", "/v3/order", orderRequest(userId), name);
  }

  /**
   * Sends a request.
   * @returns the body of a success response, undefined without a response.
   * @throws Error for any other status.
   */
  async #answered(method: string, path: string, body: object, key?: string): Promise<unknown> {
    const answer = await sendRequest(this.#local, method, path, body, key).catch(() => undefined);
    if (answer && answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer?.body;
  }
}
