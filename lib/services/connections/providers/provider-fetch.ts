import type { ClientCredentials } from "../../../connectors/client-credentials.ts";
import type { ProviderFetch, ProviderRequest } from "../../../connectors/provider-client.ts";
import { ProviderUnavailable } from "../../../connectors/provider-error.ts";
import type { Connection } from "../../../domain/users/user.ts";
import { guardedFetch } from "../../../runtime/guarded-fetch.ts";
import { ports } from "../../../runtime/ports.ts";

/** Maximum duration of a request to a provider. */
export const PROVIDER_TIMEOUT_MS = 20_000;
/** Bounds of a request to a provider. */
const bounds = { timeoutMs: PROVIDER_TIMEOUT_MS, maxBytes: 32 * 1024 * 1024 };

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
    return await ports().outbound(() => guardedFetch(new URL(providerAddress(liveUrl)), request, bounds), about);
  } catch (cause) {
    throw new ProviderUnavailable("the provider did not answer", { cause });
  }
}
