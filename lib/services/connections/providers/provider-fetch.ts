import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { ClientCredentials } from "../../../connectors/client-credentials.ts";
import type { ProviderFetch, ProviderRequest } from "../../../connectors/provider-client.ts";
import { ProviderUnavailable } from "../../../connectors/provider-error.ts";
import type { Connection } from "../../../domain/users/user.ts";
import { resolveForEgress } from "../../../runtime/egress.ts";
import { ports } from "../../../runtime/ports.ts";

/** Timeout of a request to a provider. */
const TIMEOUT_MS = 20_000;
/** Maximum size of a provider's response. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * Maps the live URL of a provider to its URL in this deployment: unchanged, or that of the simulators, which serve each
 * host below its name.
 */
export function providerAddress(liveUrl: string): string {
  const base = process.env.PROVIDER_BASE_URL;
  return base ? liveUrl.replace(/^https:\//, base) : liveUrl;
}

/** The simulated providers of this process, and their only application. */
export interface DemoProviders {
  readonly fetch: ProviderFetch;
  readonly app: ClientCredentials;
}

export type ProviderFetchDependencies = {
  /** Loads the simulated providers. @param now returns epoch milliseconds. */
  readonly demoProviders: (now: () => number) => Promise<DemoProviders>;
};

/** Loads the simulated providers of demo connections. */
export const getDemoProviders = ({ demoProviders }: ProviderFetchDependencies): Promise<DemoProviders> =>
  demoProviders(() => ports().clock.now());

/**
 * Selects the fetch function of a connection. This is the only place that decides: demo connections reach only the
 * simulated providers of this process, which send nothing over the network, and other connections never reach those.
 */
export function selectProviderFetch(
  deps: ProviderFetchDependencies,
  { demo }: Pick<Connection, "demo">,
): ProviderFetch {
  return demo ? async (url, request) => (await getDemoProviders(deps)).fetch(url, request) : providerFetch;
}

/** Sends a request to a provider. Follows no redirect, uses no proxy, and connects only where egress rules allow. */
export async function providerFetch(liveUrl: string, request: ProviderRequest): Promise<Response> {
  // The query may contain secrets: keep it out of logs.
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
    // Connect to the checked address, whatever the name resolves to now (DNS rebinding).
    hostname: address,
    servername: url.hostname,
    headers: { ...headers, host: url.host, "content-length": content.length },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    agent: false as const,
  };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sending = (url.protocol === "https:" ? https : http).request(url, options, resolve);
    sending.on("error", reject);
    sending.on("close", () => reject(new Error("the connection closed without a response")));
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
    if (size > MAX_ANSWER_BYTES) throw new Error("the response is too large");
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
  const status = answer.statusCode ?? 502;
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(parts), { status, headers });
}
