import { CLIENT_ID, CLIENT_SECRET } from "./base/application.ts";
import { fitbitDefinition } from "./fitbit/fitbit.ts";
import { HostRouter, serializeReply } from "./host-router.ts";
import { ouraDefinition } from "./oura/oura.ts";

/** A request to a provider's production URL. */
interface LiveRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The simulated providers of demo connections. They run in this process without any network access. */
export class InProcessProviders {
  /** The only registered application. */
  readonly app = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
  readonly #hosts: HostRouter;

  /** @param now returns epoch milliseconds. */
  constructor(now: () => number) {
    // Demo connections have no push subscriptions, so no task needs the clock.
    this.#hosts = new HostRouter([ouraDefinition, fitbitDefinition], { now, at: () => undefined });
  }

  /** Responds as the provider of the URL; 404 for any other host. */
  readonly fetch = async (liveUrl: string, { method, headers, body = "" }: LiveRequest): Promise<Response> => {
    const { host, pathname: path, searchParams: query } = new URL(liveUrl);
    const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const { reply } = await this.#hosts.answer({ method, host, path, query, headers: named, body });
    const sent = serializeReply(reply);
    const content = Buffer.isBuffer(sent.content) ? new Uint8Array(sent.content) : (sent.content ?? null);
    return new Response(content, { status: sent.status, headers: { ...sent.headers } });
  };
}
