import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import type { VirtualClock } from "../../lib/local/clock.ts";
import { findFreePort } from "../../lib/local/free-port.ts";
import { type KeyedRandom, randomBelow } from "./keyed-random.ts";
import { HighestVersionReplica, LastReceivedReplica, type WebhookBody, webhookBody } from "./replica.ts";

/**
 * A receiver without version checks has to finish or abort within the quarantine. A receiver with version checks may
 * take longer.
 */
const MAX_DELAY_MS = 55_000;
const MAX_DELAY_WITH_VERSIONS_MS = 3_600_000;

type RequestFate = "taken" | "refused" | "taken and refused" | "lost" | "taken and lost" | "taken later";

/** The outcome of one request in six until the receiver is healed. It accepts the others. */
const errors: readonly RequestFate[] = ["refused", "taken and refused", "lost", "taken and lost", "taken later"];
const ERROR_RATE = 1 / 6;

/** A receiver with every error that leaves the sender in doubt. It stores events by both ordering rules. */
export class FaultyReceiver {
  readonly lastReceived = new LastReceivedReplica();
  readonly highestVersion = new HighestVersionReplica();
  /** Number of requests by event id. */
  readonly requests = new Map<string, number>();
  /** Events with at least one successful response. */
  readonly accepted = new Set<string>();
  badSignatures = 0;
  isHealed = false;
  /** While the receiver is down, it accepts nothing. */
  isDown = false;
  readonly url: string;
  readonly #server: Server;
  readonly #clock: VirtualClock;
  readonly #random: KeyedRandom;
  readonly #verifiers: readonly [StandardWebhook, SvixWebhook];

  static async start(clock: VirtualClock, random: KeyedRandom, secret: string): Promise<FaultyReceiver> {
    const server = createServer();
    server.listen(await findFreePort(), "127.0.0.1");
    await once(server, "listening");
    return new FaultyReceiver(server, clock, random, secret);
  }

  private constructor(server: Server, clock: VirtualClock, random: KeyedRandom, secret: string) {
    const address = server.address();
    this.url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/hook`;
    this.#server = server;
    this.#clock = clock;
    this.#random = random;
    this.#verifiers = [new StandardWebhook(secret), new SvixWebhook(secret)];
    server.on("request", (request, response) => void this.#receive(request, response));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat(await request.toArray()).toString("utf8");
    const id = String(request.headers["webhook-id"]);
    if (!this.#isSigned(request, text)) this.badSignatures += 1;
    const before = this.requests.get(id) ?? 0;
    this.requests.set(id, before + 1);
    const fate = this.#fateOf(`${id} ${before}`);
    const take = (body: WebhookBody) => this.#take(body, Number(request.headers["webhook-version"]));
    if (fate.startsWith("taken") && fate !== "taken later") take(webhookBody.parse(JSON.parse(text)));
    if (fate === "taken later") this.#takeLater(id, request, text);
    if (fate === "taken") this.accepted.add(id);
    if (fate.endsWith("lost") || fate === "taken later") return void request.socket.destroy();
    response.writeHead(fate === "taken" ? 204 : 500).end();
  }

  #fateOf(about: string): RequestFate {
    if (this.isHealed) return "taken";
    if (this.isDown) return "refused";
    if (this.#random(`error ${about}`) >= ERROR_RATE) return "taken";
    return errors[randomBelow(this.#random, `fate ${about}`, errors.length)] ?? "taken";
  }

  #take(body: WebhookBody, version: number): void {
    this.lastReceived.apply(body, version);
    this.highestVersion.apply(body, version);
  }

  /** The connection breaks, but the request still takes effect. */
  #takeLater(id: string, request: IncomingMessage, text: string): void {
    const body = webhookBody.parse(JSON.parse(text));
    const version = Number(request.headers["webhook-version"]);
    const now = this.#clock.now();
    const at = (latestMs: number) =>
      now + 1_000 * randomBelow(this.#random, `later ${id} ${latestMs}`, latestMs / 1_000);
    this.#clock.at(at(MAX_DELAY_MS), () => this.lastReceived.apply(body, version));
    this.#clock.at(at(MAX_DELAY_WITH_VERSIONS_MS), () => this.highestVersion.apply(body, version));
  }

  /** Whether both packages accept both families of headers. */
  #isSigned({ headers }: IncomingMessage, text: string): boolean {
    return this.#verifiers.every((verifier) =>
      ["webhook", "svix"].every((family) => {
        const named = ["id", "timestamp", "signature"].map((name) => [
          `webhook-${name}`,
          `${headers[`${family}-${name}`]}`,
        ]);
        return isVerified(verifier, text, Object.fromEntries(named), this.#clock.now());
      }),
    );
  }
}

/** The packages read the system time, so this function sets it during verification. */
function isVerified(
  verifier: StandardWebhook | SvixWebhook,
  text: string,
  headers: Record<string, string>,
  nowMs: number,
): boolean {
  const system = Date.now;
  Date.now = () => nowMs;
  try {
    verifier.verify(text, headers);
    return true;
  } catch {
    return false;
  } finally {
    Date.now = system;
  }
}
