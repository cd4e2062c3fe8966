import type { SimulatorClock } from "./frame/clock.ts";
import { ProviderDesk, type ProviderRules } from "./frame/provider-desk.ts";
import { matchRoute, type Route, type SimulatedReply, type SimulatedRequest } from "./frame/simulated-http.ts";
import { passwordRoutes } from "./password/password.ts";

/** A reply and the provider of the requested host; null for an unknown host. */
export interface HostReply {
  readonly slug: string | null;
  readonly reply: SimulatedReply;
}

/** Routes requests to simulated providers by host, independent of the transport. */
export class ProviderHosts {
  readonly #desks: ReadonlyMap<string, ProviderDesk>;
  readonly #signIns: readonly Route[];

  constructor(rules: readonly ProviderRules[], clock: SimulatorClock) {
    this.#signIns = passwordRoutes(clock);
    this.#desks = new Map(rules.map((one) => [one.slug, new ProviderDesk(one, clock)]));
  }

  /** Slugs of the simulated providers. */
  get slugs(): string[] {
    return [...this.#desks.keys()];
  }

  /** Returns a simulated provider. @throws Error for an unknown slug. */
  provider(slug: string): ProviderDesk {
    const desk = this.#desks.get(slug);
    if (!desk) throw new Error(`no simulator for ${slug}`);
    return desk;
  }

  /** Handles a request; 404 for an unknown host or path. */
  async answer(request: SimulatedRequest): Promise<HostReply> {
    const ofHost = [...this.#desks.values()].filter((desk) => desk.hasHost(request.host));
    for (const desk of ofHost) {
      const reply = await desk.answer(request);
      if (reply)
        return { slug: desk.slug, reply: { ...reply, headers: { date: httpDate(desk.now()), ...reply.headers } } };
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
export function sentReply({ status, headers = {}, body }: SimulatedReply) {
  const isRaw = body === undefined || typeof body === "string" || Buffer.isBuffer(body);
  if (isRaw) return { status, headers, content: body };
  return { status, headers: { "content-type": "application/json", ...headers }, content: JSON.stringify(body) };
}

function httpDate(ms: number): string {
  return new Date(ms).toUTCString();
}
