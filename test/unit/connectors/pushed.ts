import type { Push, PushRequest } from "../../../lib/connectors/connector.ts";
import type { DataChange } from "../../../lib/simulators/providers/frame/provider-desk.ts";
import { app, type connectedWorld } from "./connected-world.ts";

/** A push as its provider sent it, and what the connector makes of it. */
interface Pushed {
  readonly request: PushRequest;
  readonly isProven: boolean;
  readonly parsed: readonly Push[];
}

/** Where nobody listens: what was sent is known without. */
const NOWHERE = "http://127.0.0.1:1/pushed";

/** Has pushes of some kind sent. @param kind as subscriptions of the provider name it. */
export function subscribed({ desk }: World, kind: string, query = ""): void {
  desk.subscriptions.set(kind, { id: "1", url: `${NOWHERE}${query}`, kind, details: {} });
}

type World = Awaited<ReturnType<typeof connectedWorld>>;

/** The pushes that a change of Ada's data leads to. */
export async function pushesOf(
  { connector, desk, clock }: World,
  change: Omit<DataChange, "account">,
): Promise<Pushed[]> {
  const attempts = await desk.notify({ account: "ada", ...change });
  return attempts.map(({ headers, url, body }) => {
    const request = { method: "POST", headers, query: new URL(url).searchParams, body } as const;
    const isProven = connector.push?.verify(request, app, clock.now()) ?? false;
    return { request, isProven, parsed: connector.push?.parse(request) ?? [] };
  });
}
