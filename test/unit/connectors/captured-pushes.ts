import type { Push, PushRequest } from "../../../lib/connectors/connector.ts";
import type { DataChange } from "../../../lib/simulators/providers/base/simulated-provider.ts";
import { type connectProvider, oauthApp } from "./connected-provider.ts";

/** A push as the provider sent it, and the connector's verification and parse result. */
interface Pushed {
  readonly request: PushRequest;
  readonly isProven: boolean;
  readonly parsed: readonly Push[];
}

/** An address without a listener. The simulator reports what it sent. */
const NOWHERE = "http://127.0.0.1:1/pushed";

/** Subscribes to one kind of push. @param kind the provider's name of the subscription. */
export function subscribeToPushes({ provider }: World, kind: string, query = ""): void {
  provider.subscriptions.set(kind, { id: "1", url: `${NOWHERE}${query}`, kind, details: {} });
}

type World = Awaited<ReturnType<typeof connectProvider>>;

/** Changes Ada's data and returns the resulting pushes. */
export async function capturePushes(
  { connector, provider, clock }: World,
  change: Omit<DataChange, "account">,
): Promise<Pushed[]> {
  const attempts = await provider.notify({ account: "ada", ...change });
  return attempts.map(({ headers, url, body }) => {
    const request = { method: "POST", headers, query: new URL(url).searchParams, body } as const;
    const isProven = connector.push?.verify(request, oauthApp, clock.now()) ?? false;
    return { request, isProven, parsed: connector.push?.parse(request) ?? [] };
  });
}
