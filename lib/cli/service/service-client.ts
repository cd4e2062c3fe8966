import * as z from "zod";
import { parseJson } from "../../domain/shared/json.ts";
import { CommandFailed } from "../frame/command-failed.ts";

const REQUEST_TIMEOUT_MS = 60_000;

const refusal = z.object({ detail: z.unknown(), code: z.string().optional() });
const place = z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() });

/** Calls one API of a service with one key. */
export class ServiceClient {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param headers the header with the key. */
  constructor(baseUrl: string, headers: Readonly<Record<string, string>>) {
    this.#baseUrl = baseUrl;
    this.#headers = { "content-type": "application/json", ...headers };
  }

  /** @throws CommandFailed unless the response is 2xx and matches the schema. */
  async call<Schema extends z.ZodType>(
    schema: Schema,
    method: "GET" | "POST",
    path: string,
    body?: string,
  ): Promise<z.output<Schema>> {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const init = { method, headers: this.#headers, signal, ...(body === undefined ? {} : { body }) };
    const response = await fetch(`${this.#baseUrl}${path}`, init).catch((error: unknown) => {
      throw new CommandFailed(`The service at ${this.#baseUrl} does not respond: ${failureReason(error)}.`);
    });
    const text = await response.text();
    if (!response.ok) throw new CommandFailed(`${method} ${path}: ${response.status} ${describeRefusal(text)}`);
    const parsed = schema.safeParse(parseJson(text));
    if (!parsed.success) throw new CommandFailed(`${method} ${path}: unexpected response ${oneLine(text)}`);
    return parsed.data;
  }
}

const oneLine = (text: string): string => text.slice(0, 300).replaceAll(/\s+/g, " ");

/** The detail of an API error in one line. */
function describeRefusal(text: string): string {
  const { detail, code } = refusal.safeParse(parseJson(text)).data ?? {};
  const places = z.array(place).safeParse(detail).data;
  if (places) return [code, ...places.slice(0, 5).map(({ loc, msg }) => `${loc.join(".")}: ${msg}`)].join("; ");
  return [code, typeof detail === "string" ? detail : oneLine(text)].filter(Boolean).join(": ");
}

/** The reason of a failed request, which fetch reports as cause. */
export function failureReason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error) return "code" in cause && cause.code ? String(cause.code) : cause.message;
  return String(cause);
}
