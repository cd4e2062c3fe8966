import { fitbit } from "./fitbit/fitbit.ts";
import { CLIENT_ID, CLIENT_SECRET } from "./frame/application.ts";
import { oura } from "./oura/oura.ts";
import { ProviderHosts, sentReply } from "./provider-hosts.ts";

/** A request to the live address of a provider. */
interface LiveRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The providers of demo connections, who answer within this process: nothing listens, nothing leaves it. */
export class InProcessProviders {
  /** The one application that they know. */
  readonly app = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
  readonly #hosts: ProviderHosts;

  /** @param now epoch milliseconds. */
  constructor(now: () => number) {
    // Nobody subscribes to pushes here, so there is nothing to do later.
    this.#hosts = new ProviderHosts([oura, fitbit], { now, at: () => undefined });
  }

  /** Answers as the provider would that has the address; 404 for the address of anybody else. */
  readonly fetch = async (liveUrl: string, { method, headers, body = "" }: LiveRequest): Promise<Response> => {
    const { host, pathname: path, searchParams: query } = new URL(liveUrl);
    const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const { reply } = await this.#hosts.answer({ method, host, path, query, headers: named, body });
    const sent = sentReply(reply);
    const content = Buffer.isBuffer(sent.content) ? new Uint8Array(sent.content) : (sent.content ?? null);
    return new Response(content, { status: sent.status, headers: { ...sent.headers } });
  };
}
