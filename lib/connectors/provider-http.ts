import type * as z from "zod";
import { dropBadFields, reasonOf } from "../domain/drop-bad-fields.ts";
import type { DroppedField } from "../domain/dropped-field.ts";
import { AccessEnded, ProviderRefused, ProviderUnavailable, RateLimited } from "./provider-error.ts";
import { readPublished } from "./read-published.ts";

/** A request to a provider, at its live address. */
export interface ProviderRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The way out to providers, which follows no redirects. @throws ProviderUnavailable without a complete answer. */
export type ProviderFetch = (url: string, request: ProviderRequest) => Promise<Response>;

/** What a client needs to speak for a connection. */
export interface ClientOptions {
  readonly fetch: ProviderFetch;
  /** The access token in force. @param refused one that the provider did not take, so that another is needed. */
  readonly accessToken: (refused?: string) => Promise<string>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly retryAt?: ((headers: Headers, nowMs: number) => number | undefined) | undefined;
  /** The status that a body tells, where that of the answer itself says nothing. */
  readonly statusOf?: ((body: unknown) => number) | undefined;
  /** The provider's own id of the user; absent until it is known. */
  readonly accountId?: string | undefined;
  /** Told what of an answer was left out because it has another shape than the provider's documents say. */
  readonly onDropped?: ((dropped: readonly DroppedField[]) => void) | undefined;
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** Where nothing is said about it, requests are tried again after this long. */
const USUAL_PAUSE_MS = 60_000;

/** Requests for the data of one connection. */
export class ProviderClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * The JSON at an address, without records and fields of another shape than expected.
   * @throws ProviderError; an answer that is nothing without them is ProviderUnavailable.
   */
  async get<S extends z.ZodType>(url: string, schema: S, query: Query = {}): Promise<z.output<S>> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return this.#parsed(await this.send(search === "" ? url : `${url}?${search}`), schema);
  }

  /** The JSON that a form is answered with. @throws ProviderError; an answer of another shape is ProviderUnavailable. */
  async post<S extends z.ZodType>(url: string, schema: S, form: Readonly<Record<string, string>>) {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams(form).toString();
    return this.#parsed(await this.send(url, { method: "POST", headers, body }), schema);
  }

  async #parsed<S extends z.ZodType>(response: Response, schema: S): Promise<z.output<S>> {
    return this.read(await response.json().catch(() => undefined), schema);
  }

  /** What an answer holds, by the rules of {@link ProviderClient.get}. @throws ProviderUnavailable. */
  read<S extends z.ZodType>(told: unknown, schema: S): z.output<S> {
    return readPublished(told, schema, this.#options.onDropped);
  }

  /** One record of an answer; undefined where nothing of it is left, which is told of like what was left out. */
  readRecord<S extends z.ZodType>(told: unknown, schema: S, name: string): z.output<S> | undefined {
    const read = dropBadFields(schema, told, { isEssential: () => false });
    const dropped: readonly DroppedField[] =
      "issue" in read
        ? [{ field: "", reason: reasonOf(read.issue), detail: "Nothing is left of the record" }]
        : read.dropped;
    if (dropped.length > 0)
      this.#options.onDropped?.(
        dropped.map((one) => ({ ...one, field: one.field === "" ? name : `${name}.${one.field}` })),
      );
    return "data" in read ? read.data : undefined;
  }

  /** Epoch milliseconds, where a request has to name the time. */
  now(): number {
    return this.#options.now();
  }

  /** The provider's own id of the user, for addresses that name it. @throws ProviderUnavailable until it is known. */
  get accountId(): string {
    const { accountId } = this.#options;
    if (accountId === undefined) throw new ProviderUnavailable("it is not known who the user is");
    return accountId;
  }

  /** The access token in force, where a request has to name it otherwise than as usual. */
  accessToken(): Promise<string> {
    return this.#options.accessToken();
  }

  /** The bytes at an address that is open to whoever knows it, so that no token is shown there. @throws ProviderError. */
  async download(url: string): Promise<ArrayBuffer> {
    return this.#checked(await this.#options.fetch(url, { method: "GET", headers: {} })).arrayBuffer();
  }

  /** An answer with a good status. @throws ProviderError. */
  async send(url: string, request: Partial<ProviderRequest> = {}): Promise<Response> {
    const first = await this.#options.accessToken();
    const response = await this.#send(url, request, first);
    if (response.status !== 401) return this.#checked(response);
    const again = await this.#send(url, request, await this.#options.accessToken(first));
    if (again.status === 401) throw new AccessEnded("the provider does not take a new token either");
    return this.#checked(again);
  }

  async #send(url: string, { method = "GET", headers = {}, body }: Partial<ProviderRequest>, token: string) {
    const all = { accept: "application/json", authorization: `Bearer ${token}`, ...headers };
    const { fetch, statusOf } = this.#options;
    const response = await fetch(url, { method, headers: all, ...(body === undefined ? {} : { body }) });
    if (!statusOf || !response.ok) return response;
    const told = await response.json().catch(() => undefined);
    return Response.json(told ?? null, { status: statusOf(told), headers: response.headers });
  }

  #checked(response: Response): Response {
    if (response.ok) return response;
    if (response.status === 429) throw new RateLimited(this.#retryAt(response.headers));
    if (response.status >= 500) throw new ProviderUnavailable(`the provider answered ${response.status}`);
    throw new ProviderRefused(response.status);
  }

  #retryAt(headers: Headers): number {
    const now = this.#options.now();
    return Math.max(
      now + 1_000,
      this.#options.retryAt?.(headers, now) ?? retryAfter(headers, now) ?? now + USUAL_PAUSE_MS,
    );
  }
}

/** What a provider told, in the shape that its documents say. @throws ProviderUnavailable where it has another. */
export function asPublished<S extends z.ZodType>(told: unknown, schema: S): z.output<S> {
  const { success, data } = schema.safeParse(told);
  if (!success) throw new ProviderUnavailable("the answer has another shape than expected");
  return data;
}

/** When to try again (epoch ms) by `Retry-After`, in seconds or as a date. */
export function retryAfter(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const at = /^\d+$/.test(text) ? nowMs + Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
