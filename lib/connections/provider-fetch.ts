import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { ClientCredentials } from "../connectors/connector.ts";
import { ProviderUnavailable } from "../connectors/provider-error.ts";
import type { ProviderFetch, ProviderRequest } from "../connectors/provider-http.ts";
import type { Connection } from "../domain/user.ts";
import { resolveForEgress } from "../runtime/egress.ts";
import { ports } from "../runtime/ports.ts";

/** A provider has this long to answer. */
const TIMEOUT_MS = 20_000;
/** No answer of a provider is larger. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Where a provider's live address leads in this deployment: to itself, or to the simulators, which serve every host
 * below its name.
 */
export function providerAddress(liveUrl: string): string {
  const base = process.env.PROVIDER_BASE_URL;
  return base ? liveUrl.replace(/^https:\//, base) : liveUrl;
}

/** The simulated providers within this process, and the one application that they know. */
export interface DemoProviders {
  readonly fetch: ProviderFetch;
  readonly app: ClientCredentials;
}

export interface DemoUses {
  /** Loads them. @param now epoch milliseconds. */
  readonly demoProviders: (now: () => number) => Promise<DemoProviders>;
}

/** Loads the providers of demo connections. */
export const loadedDemo = ({ demoProviders }: DemoUses): Promise<DemoProviders> =>
  demoProviders(() => ports().clock.now());

/**
 * The way to the provider of a connection, decided here and nowhere else: a demo connection speaks to the simulated
 * providers of this process, which send nothing to anybody, and no other connection ever reaches them.
 */
export function wayTo(uses: DemoUses, { demo }: Pick<Connection, "demo">): ProviderFetch {
  return demo ? async (url, request) => (await loadedDemo(uses)).fetch(url, request) : providerFetch;
}

/** Sends a request to a provider: no redirects, no proxy, only to the address that egress rules let through. */
export async function providerFetch(liveUrl: string, request: ProviderRequest): Promise<Response> {
  // What comes after the path may be a secret.
  const about = `${request.method} ${liveUrl.replace(/\?.*/s, "")}`;
  try {
    return await ports().outbound(() => exchange(new URL(providerAddress(liveUrl)), request), about);
  } catch (cause) {
    throw new ProviderUnavailable("the provider did not answer", { cause });
  }
}

async function exchange(url: URL, { method, headers, body = "" }: ProviderRequest): Promise<Response> {
  const { address } = await resolveForEgress(url);
  const content = Buffer.from(body, "utf8");
  const options = {
    method,
    // The address that was checked is the one that is connected to, whatever the name resolves to now.
    hostname: address,
    servername: url.hostname,
    headers: { ...headers, host: url.host, "content-length": content.length },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    agent: false as const,
  };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sending = (url.protocol === "https:" ? https : http).request(url, options, resolve);
    sending.on("error", reject);
    sending.on("close", () => reject(new Error("the connection ended without an answer")));
    sending.end(content);
  });
  return toResponse(answer);
}

async function toResponse(answer: IncomingMessage): Promise<Response> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer) {
    parts.push(part);
    size += part.length;
    if (size > MOST_BYTES) throw new Error("the answer is too large");
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
  const status = answer.statusCode ?? 502;
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(parts), { status, headers });
}
