import * as z from "zod";
import { draftFor } from "../local/service/order-world.ts";
import { heartRates } from "../local/service/pushing.ts";
import type { LocalJson } from "../local/service/started-service.ts";

/** A write, and what it was answered with; without an answer nobody knows whether it was done. */
export interface Written {
  readonly kind: "user" | "batch" | "order";
  /** What the client named it by. */
  readonly name: string;
  readonly userId?: string;
  /** Id of the user, the receipt or the order. */
  readonly id?: string;
}

/** An answer with its body read. */
export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a drill looks into bodies of every shape
  readonly body: any;
}

const created = z.object({ user_id: z.string() });
const taken = z.object({ receipt_id: z.string() });
const placed = z.object({ order: z.object({ id: z.string() }) });

/** Instants at which heart rates of a batch are, by the batch's place in its client's journal. */
export const ratesOf = (place: number) => heartRates(new Date(Date.UTC(2026, 0, 1, 0, place)).toISOString(), 3);

/** Calls the service as its first team. @throws when there is no answer. */
export async function ask(local: LocalJson, method: string, path: string, sent?: object, key?: string) {
  const headers = {
    "x-service-api-key": local.api_key,
    "content-type": "application/json",
    ...(key === undefined ? {} : { "x-idempotency-key": key }),
  };
  const body = sent === undefined ? {} : { body: JSON.stringify(sent) };
  const response = await fetch(`${local.base_url}${path}`, { method, headers, ...body });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined } satisfies Answered;
}

/** A client that writes one thing after the other and keeps a journal of what it was answered. */
export class KillClient {
  readonly journal: Written[] = [];
  readonly name: string;
  readonly #local: LocalJson;

  constructor(local: LocalJson, name: string) {
    this.#local = local;
    this.name = name;
  }

  /** Writes until there is no answer: a user, then batches and orders of it, and again. */
  async write(): Promise<void> {
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

  /** @returns whether there was an answer. */
  async #one(kind: "batch" | "order", userId: string): Promise<boolean> {
    const place = this.journal.length;
    const written = { kind, name: kind === "order" ? `${this.name}-${place}` : String(place), userId };
    const answer = await (kind === "order" ? this.order(written) : this.#batch(userId, place));
    if (answer === undefined) {
      this.journal.push(written);
      return false;
    }
    const id = kind === "order" ? placed.parse(answer).order.id : taken.parse(answer).receipt_id;
    this.journal.push({ ...written, id });
    return true;
  }

  #batch(userId: string, place: number): Promise<unknown> {
    const body = { provider: "oura", source_type: "ring", resources: { heartrate: ratesOf(place) } };
    return this.#answered("POST", `/v2/ingest/${userId}`, body);
  }

  /** Places an order under its name; the same name is the same order. */
  order({ name, userId = "" }: Pick<Written, "name" | "userId">): Promise<unknown> {
    return this.#answered("POST", "/v3/order", draftFor(userId), name);
  }

  /** The body of a good answer, undefined where there is none. @throws Error for any other answer. */
  async #answered(method: string, path: string, body: object, key?: string): Promise<unknown> {
    const answer = await ask(this.#local, method, path, body, key).catch(() => undefined);
    if (answer && answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer?.body;
  }
}
