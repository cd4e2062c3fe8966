import { matchRoute, type Route, type SimulatedReply, type SimulatedRequest } from "./base/simulated-http.ts";
import { type ProviderDefinition, SimulatedProvider } from "./base/simulated-provider.ts";
import type { SimulatorClock } from "./base/simulator-clock.ts";
import { passwordRoutes } from "./password/password.ts";

/** A reply and the provider of the requested host; null for an unknown host. */
export interface HostReply {
  readonly slug: string | null;
  readonly reply: SimulatedReply;
}

/** Routes requests to simulated providers by host, independent of the transport. */
export class HostRouter {
  readonly #providers: ReadonlyMap<string, SimulatedProvider>;
  readonly #signIns: readonly Route[];

  constructor(rules: readonly ProviderDefinition[], clock: SimulatorClock) {
    this.#signIns = passwordRoutes(clock);
    this.#providers = new Map(rules.map((one) => [one.slug, new SimulatedProvider(one, clock)]));
  }

  /** Slugs of the simulated providers. */
  get slugs(): string[] {
    return [...this.#providers.keys()];
  }

  /** Returns a simulated provider. @throws Error for an unknown slug. */
  provider(slug: string): SimulatedProvider {
    const provider = this.#providers.get(slug);
    if (!provider) throw new Error(`no simulator for ${slug}`);
    return provider;
  }

  /** Handles a request; 404 for an unknown host or path. */
  async answer(request: SimulatedRequest): Promise<HostReply> {
    const ofHost = [...this.#providers.values()].filter((provider) => provider.hasHost(request.host));
    for (const provider of ofHost) {
      const reply = await provider.answer(request);
      if (reply)
        return {
          slug: provider.slug,
          reply: { ...reply, headers: { date: formatHttpDate(provider.now()), ...reply.headers } },
        };
    }
    for (const route of this.#signIns) {
      const params = matchRoute(route, request);
      if (params)
        return { slug: params.provider ?? null, reply: await route.answer({ ...request, params }, undefined) };
    }
    const error = ofHost.length > 0 ? "no such path" : "no provider with this host is simulated";
    return { slug: ofHost[0]?.slug ?? null, reply: { status: 404, body: { error } } };
  }
}

/** Serializes a reply: strings and bytes as they are, any other body as JSON. */
export function serializeReply({ status, headers = {}, body }: SimulatedReply) {
  const isRaw = body === undefined || typeof body === "string" || Buffer.isBuffer(body);
  if (isRaw) return { status, headers, content: body };
  return { status, headers: { "content-type": "application/json", ...headers }, content: JSON.stringify(body) };
}

function formatHttpDate(ms: number): string {
  return new Date(ms).toUTCString();
}
