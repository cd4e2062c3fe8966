import type * as z from "zod";
import type { ClientCredentials } from "./client-credentials.ts";
import { AccessEnded, ProviderRefused, ProviderUnavailable, RateLimited } from "./provider-error.ts";
import { type DroppedFieldListener, type ReportedField, readRecord, readTolerantly } from "./tolerant-reader.ts";

/** A request to a provider's production URL. */
export interface ProviderRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends requests to providers; follows no redirects. @throws ProviderUnavailable without a complete response. */
export type ProviderFetch = (url: string, request: ProviderRequest) => Promise<Response>;

/** The options of a client, which acts for one connection. */
export interface ClientOptions {
  readonly fetch: ProviderFetch;
  /** Returns the current access token. @param refused a token that the provider rejected; forces a refresh. */
  readonly accessToken: (refused?: string) => Promise<string>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly retryAt?: ((headers: Headers, nowMs: number) => number | undefined) | undefined;
  /** Derives the HTTP status from the body, if the status of the response is always 200. */
  readonly statusFromBody?: ((body: unknown) => number) | undefined;
  readonly tokenPlace?: TokenPlace | undefined;
  /** The provider's user id, once known. */
  readonly accountId?: string | undefined;
  /** Returns the application of the connection; undefined if it is no longer configured. */
  readonly app?: (() => Promise<ClientCredentials | undefined>) | undefined;
  readonly onDropped?: DroppedFieldListener | undefined;
  /** Called with each successful JSON response, as received, and the path of its URL. */
  readonly onResponse?: ((payload: unknown, path: string) => void) | undefined;
}

/** Where requests carry the access token, if not in the Authorization header as a bearer token. */
export type TokenPlace =
  | { readonly header: string; readonly parameter?: never }
  | { readonly parameter: string; readonly header?: never };

type Query = Readonly<Record<string, string | number | undefined>>;

/** Retry delay after a 429 response without a hint in its headers. */
const DEFAULT_RETRY_DELAY_MS = 60_000;

/** HTTP client for the data of one connection. */
export class ProviderClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * Fetches JSON, null for a response without content, and drops records and fields that violate the schema.
   * @throws ProviderError; ProviderUnavailable if nothing valid remains.
   */
  async get<S extends z.ZodType>(
    url: string,
    schema: S,
    query: Query = {},
    headers: ProviderRequest["headers"] = {},
  ): Promise<z.output<S>> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return this.#parsed(url, await this.send(search === "" ? url : `${url}?${search}`, { headers }), schema);
  }

  /** Posts JSON and reads the response by the rules of {@link ProviderClient.get}. @throws ProviderError. */
  async postJson<S extends z.ZodType>(url: string, schema: S, content: object): Promise<z.output<S>> {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(content);
    return this.#parsed(url, await this.send(url, { method: "POST", headers, body }), schema);
  }

  /** Posts a form and returns the JSON response. @throws ProviderError; ProviderUnavailable for an invalid response. */
  async post<S extends z.ZodType>(url: string, schema: S, form: Readonly<Record<string, string>>) {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams(form).toString();
    return this.#parsed(url, await this.send(url, { method: "POST", headers, body }), schema);
  }

  async #parsed<S extends z.ZodType>(url: string, response: Response, schema: S): Promise<z.output<S>> {
    const payload = response.status === 204 ? null : await response.json().catch(() => undefined);
    this.#options.onResponse?.(payload, new URL(url).pathname);
    return this.read(payload, schema);
  }

  /** Reads a response by the rules of {@link ProviderClient.get}. @throws ProviderUnavailable. */
  read<S extends z.ZodType>(payload: unknown, schema: S): z.output<S> {
    return readTolerantly(payload, schema, this.#options.onDropped);
  }

  /** Reads one record; undefined if nothing valid remains. Reports dropped fields and a dropped record. */
  readRecord<S extends z.ZodType>(payload: unknown, schema: S, name: string): z.output<S> | undefined {
    return readRecord(payload, schema, name, this.#options.onDropped);
  }

  /** Reports fields that the connector dropped itself. */
  reportDropped(dropped: readonly ReportedField[]): void {
    this.#options.onDropped?.(dropped);
  }

  /** Current time in epoch milliseconds, for requests that include a timestamp. */
  now(): number {
    return this.#options.now();
  }

  /** The provider's user id, for URLs that contain it. @throws ProviderUnavailable until it is known. */
  get accountId(): string {
    const { accountId } = this.#options;
    if (accountId === undefined) throw new ProviderUnavailable("the provider's user id is not known yet");
    return accountId;
  }

  /** The current access token, for requests that send it outside the Authorization header. */
  accessToken(): Promise<string> {
    return this.#options.accessToken();
  }

  /** The application, for requests that name it. @throws ProviderUnavailable if it is no longer configured. */
  async app(): Promise<ClientCredentials> {
    const app = await this.#options.app?.();
    if (!app) throw new ProviderUnavailable("the application of the connection is no longer configured");
    return app;
  }

  /** A further key of the application. @throws ProviderUnavailable if it is not configured. */
  async appKey(name: string): Promise<string> {
    const key = (await this.app()).keys?.[name];
    if (key === undefined) throw new ProviderUnavailable(`the application has no key ${name}`);
    return key;
  }

  /** Downloads a file from a public URL, without sending the access token. @throws ProviderError. */
  async download(url: string): Promise<ArrayBuffer> {
    return this.#checked(await this.#options.fetch(url, { method: "GET", headers: {} })).arrayBuffer();
  }

  /** Sends a request and returns a 2xx response. Refreshes the token once after a 401. @throws ProviderError. */
  async send(url: string, request: Partial<ProviderRequest> = {}): Promise<Response> {
    const first = await this.#options.accessToken();
    const response = await this.#send(url, request, first);
    if (response.status !== 401) return this.#checked(response);
    const again = await this.#send(url, request, await this.#options.accessToken(first));
    if (again.status === 401) throw new AccessEnded("the provider rejected a refreshed access token");
    return this.#checked(again);
  }

  async #send(url: string, { method = "GET", headers = {}, body }: Partial<ProviderRequest>, token: string) {
    const { fetch, statusFromBody, tokenPlace } = this.#options;
    const { header, parameter } = tokenPlace ?? {};
    const access = tokenPlace ? (header ? { [header]: token } : {}) : { authorization: `Bearer ${token}` };
    const address = parameter === undefined ? url : withParameter(url, parameter, token);
    const all = { accept: "application/json", ...access, ...headers };
    const response = await fetch(address, { method, headers: all, ...(body === undefined ? {} : { body }) });
    if (!statusFromBody || !response.ok) return response;
    const payload = await response.json().catch(() => undefined);
    return Response.json(payload ?? null, { status: statusFromBody(payload), headers: response.headers });
  }

  #checked(response: Response): Response {
    if (response.ok) return response;
    if (response.status === 429) throw new RateLimited(this.#retryAt(response.headers));
    if (response.status >= 500) throw new ProviderUnavailable(`the provider responded with ${response.status}`);
    throw new ProviderRefused(response.status);
  }

  #retryAt(headers: Headers): number {
    const now = this.#options.now();
    return Math.max(
      now + 1_000,
      this.#options.retryAt?.(headers, now) ?? parseRetryAfter(headers, now) ?? now + DEFAULT_RETRY_DELAY_MS,
    );
  }
}

/** Validates a response against a schema. @throws ProviderUnavailable if it does not match. */
export function readStrictly<S extends z.ZodType>(payload: unknown, schema: S): z.output<S> {
  const { success, data } = schema.safeParse(payload);
  if (!success) throw new ProviderUnavailable("the response does not match the expected schema");
  return data;
}

function withParameter(url: string, name: string, value: string): string {
  const changed = new URL(url);
  changed.searchParams.set(name, value);
  return changed.href;
}

/** Parses `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3). Returns epoch ms. */
function parseRetryAfter(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const at = /^\d+$/.test(text) ? nowMs + Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
