import type { PulledBatch, PulledProvider } from "../../../../lib/connectors/connector.ts";
import { findPulledProvider } from "../../../../lib/connectors/connectors.ts";
import { ProviderClient } from "../../../../lib/connectors/provider-client.ts";
import { APP_KEYS } from "../../../../lib/simulators/providers/base/application.ts";

/** The answer to a request: a response, or the JSON body of a successful one. */
export type Answer = (url: URL, form: URLSearchParams) => unknown;

/** A window between two instants in ISO 8601. */
export const between = (from: string, to: string) => ({ startMs: Date.parse(from), endMs: Date.parse(to) });

/** Pulls a window of a resource from a provider that answers as given. Returns the batches and the requested URLs. */
export async function pullAnswered(
  [slug, resource]: readonly [slug: string, resource: string],
  window: { readonly startMs: number; readonly endMs: number },
  answer: Answer,
) {
  const connector = (await findPulledProvider(slug)) as PulledProvider;
  const requests: URL[] = [];
  const dropped: string[] = [];
  const { retryAt, statusFromBody, tokenPlace } = connector;
  const client = new ProviderClient({
    fetch: async (address, { body }) => {
      const url = new URL(address);
      requests.push(url);
      const reply = await answer(url, new URLSearchParams(body));
      return reply instanceof Response ? reply : Response.json(reply);
    },
    accessToken: async () => "token",
    accountId: "ada",
    app: async () => ({ clientId: "client", clientSecret: "secret", keys: APP_KEYS }),
    now: () => window.endMs,
    ...{ retryAt, statusFromBody, tokenPlace },
    onDropped: (fields) => dropped.push(...fields.map(({ field }) => field)),
  });
  const batches: PulledBatch[] = [];
  for await (const batch of connector.pull(resource, window, client)) batches.push(batch);
  return { batches, requests, dropped };
}

/** The records of a resource in batches, in their order. */
export const recordsOf = (batches: readonly PulledBatch[], resource: string) =>
  batches.flatMap(({ resources }) => resources[resource] ?? []);
